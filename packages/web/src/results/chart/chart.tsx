import { Download, Maximize2 } from "lucide-react";
import { useState } from "react";
import { useTexts } from "../../i18n/language.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { saveBlob } from "../../ui/save.ts";
import { ChartFrame } from "./chart-frame.tsx";
import type { ChartSpec } from "./chart-spec.ts";
import { readPng } from "../png.ts";

/** An interactive chart. */
export default function Chart({ chart }: { chart: ChartSpec }) {
  const texts = useTexts();
  const [isLarge, setLarge] = useState(false);
  return (
    <figure className="chart-figure">
      <ChartFrame chart={chart}>
        {({ toPng }) => (
          <figcaption className="picture-tools">
            <button type="button" className="button plain small" onClick={() => setLarge(true)}>
              <Maximize2 size={14} aria-hidden /> {texts.enlarge}
            </button>
            <button
              type="button"
              className="button plain small"
              onClick={() => void toPng().then((url) => saveBlob(readPng(url), "chart.png"))}
            >
              <Download size={14} aria-hidden /> {texts.savePng}
            </button>
          </figcaption>
        )}
      </ChartFrame>
      {isLarge ? <LargeChart chart={chart} onClose={() => setLarge(false)} /> : null}
    </figure>
  );
}

function LargeChart({ chart, onClose }: { chart: ChartSpec; onClose(): void }) {
  const texts = useTexts();
  return (
    <Dialog title={texts.chart} className="chart-dialog" onClose={onClose}>
      <ChartFrame chart={chart} />
    </Dialog>
  );
}
