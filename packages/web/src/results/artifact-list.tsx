import type { ArtifactEvent } from "@atoll/client";
import { FileDown } from "lucide-react";
import { memo, useState } from "react";
import { useTexts } from "../i18n/language.tsx";
import { useFormat } from "../ui/format.ts";
import { Picture } from "./picture.tsx";

/** A run may create thousands of files. */
const AT_ONCE = 12;

/** Files that a run created. Images are shown, unless the run displayed them already. */
export const ArtifactList = memo(function ArtifactList({
  artifacts,
}: {
  artifacts: readonly ArtifactEvent[];
}) {
  const texts = useTexts();
  const format = useFormat();
  const [isWhole, setWhole] = useState(artifacts.length <= AT_ONCE + 3);
  if (artifacts.length === 0) return null;
  return (
    <ul className="artifacts">
      {(isWhole ? artifacts : artifacts.slice(0, AT_ONCE)).map(
        ({ path, url, mime, size_bytes: size, hash }) => {
          const name = path.split("/").at(-1) ?? path;
          return (
            <li key={`${path} ${hash}`}>
              {url && mime.startsWith("image/") ? <Picture url={url} name={name} mime={mime} /> : null}
              <a className="button small" href={url} download={name} aria-disabled={!url} title={path}>
                <FileDown size={14} aria-hidden /> <span className="ellipsis">{name}</span>
                <span className="quiet">{format.bytes(size)}</span>
              </a>
            </li>
          );
        },
      )}
      {isWhole || artifacts.length <= AT_ONCE ? null : (
        <li>
          <button type="button" className="button small" onClick={() => setWhole(true)}>
            {texts.allFiles(format.number(artifacts.length))}
          </button>
        </li>
      )}
    </ul>
  );
});
