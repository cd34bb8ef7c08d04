import { useState } from "react";
import { useClient } from "../../app/client.tsx";
import { useTexts } from "../../i18n/language.tsx";
import { useFormat } from "../../ui/format.ts";
import type { FileProps } from "./file-view.tsx";
import { showName } from "../visible-name.ts";

/** Shown as an image only: scripts and links in an SVG have no effect there. */
export function ImageFile({ threadId, path, version }: FileProps) {
  const texts = useTexts();
  const format = useFormat();
  const [size, setSize] = useState<string>();
  const [isBroken, setBroken] = useState(false);
  const url = useClient().threads.files(threadId).url(path);
  if (isBroken) return <p className="quiet">{texts.brokenImage}</p>;
  return (
    <figure className="image-file">
      <img
        // The same address may return another image now.
        src={`${url}&version=${version}`}
        alt={showName(path)}
        onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) =>
          setSize(`${format.number(width)} × ${format.number(height)}`)
        }
        onError={() => setBroken(true)}
      />
      <figcaption className="quiet small-text">{size}</figcaption>
    </figure>
  );
}
