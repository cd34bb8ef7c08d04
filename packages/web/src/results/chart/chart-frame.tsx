import { RotateCw, TriangleAlert } from "lucide-react";
import { type ReactNode, useRef } from "react";
import { useTexts } from "../../i18n/language.tsx";
import type { ChartSpec } from "./chart-spec.ts";
import { type ChartState, useChart } from "./use-chart.ts";

const SMALLEST_PX = 384;
const TALLEST_PX = 900;

interface ChartFrameProps {
  readonly chart: ChartSpec;
  /** The actions on the chart, once it is drawn. */
  children?(chart: { toPng(): Promise<string> }): ReactNode;
}

/**
 * Draws a chart specification of a sandbox. It can contain expressions and HTML, so the frame has no origin: its content
 * reaches neither the page nor the server.
 */
export function ChartFrame({ chart, children }: ChartFrameProps) {
  const texts = useTexts();
  const frame = useRef<HTMLIFrameElement>(null);
  const { state, onLoad, tryAgain, toPng } = useChart(frame, chart);
  if (state.is === "failed") return <ChartFailure failure={state} onAgain={tryAgain} />;
  const heightPx = state.is === "drawn" ? Math.max(SMALLEST_PX, Math.min(TALLEST_PX, state.heightPx)) : 0;
  return (
    <>
      <iframe
        ref={(element) => {
          frame.current = element;
          if (heightPx > SMALLEST_PX) element?.style.setProperty("height", `${heightPx}px`);
        }}
        className="chart"
        title={texts.chart}
        sandbox="allow-scripts"
        src="/ui/chart.html"
        loading="lazy"
        aria-busy={state.is === "loading"}
        onLoad={onLoad}
      />
      {state.is === "drawn" ? children?.({ toPng }) : null}
    </>
  );
}

function ChartFailure(props: { failure: ChartState & { is: "failed" }; onAgain(): void }) {
  const texts = useTexts();
  const { reason, detail } = props.failure;
  const hints = { elsewhere: texts.chartElsewhere, invalid: texts.chartInvalid, silent: texts.chartSilent };
  return (
    <div className="chart-failure" role="alert">
      <TriangleAlert size={16} aria-hidden />
      <div>
        <p>
          <strong>{texts.chartNotDrawn}</strong> {hints[reason]}
        </p>
        {detail === "" ? null : <p className="mono">{detail}</p>}
      </div>
      {reason === "silent" ? (
        <button type="button" className="button small" onClick={props.onAgain}>
          <RotateCw size={14} aria-hidden /> {texts.tryAgain}
        </button>
      ) : null}
    </div>
  );
}
