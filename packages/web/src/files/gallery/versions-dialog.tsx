import { Download } from "lucide-react";
import { useEffect, useState } from "react";
import { Code } from "../../ui/code/code.tsx";
import { useTexts } from "../../i18n/language.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { diffLines } from "../../ui/code/diff.ts";
import { useFormat } from "../../ui/format.ts";
import { decodeText } from "../decode-text.ts";
import type { GalleryItem, GalleryVersion } from "./gallery-items.ts";
import { showName } from "../visible-name.ts";

interface VersionsDialogProps {
  readonly item: GalleryItem;
  /** The version to start with; it is compared with the one before. */
  readonly later: number;
  onClose(): void;
}

/** Compares two versions of a file: images side by side, texts as a diff. */
export function VersionsDialog({ item, later, onClose }: VersionsDialogProps) {
  const texts = useTexts();
  const { versions } = item;
  const [right, setRight] = useState(Math.max(1, later));
  const [left, setLeft] = useState(Math.max(1, later) - 1);
  const [before, after] = [versions[left], versions[right]];
  const name = showName(item.name);
  if (!before || !after) return null;
  const isPicture = after.mime.startsWith("image/");
  return (
    <Dialog title={texts.compareVersions(name)} className="versions" onClose={onClose}>
      <div className="versions-pair">
        <Side item={item} at={left} label={texts.versionLeft} onChoose={setLeft} />
        <Side item={item} at={right} label={texts.versionRight} onChoose={setRight} />
      </div>
      {isPicture ? null : <Changes key={`${left} ${right}`} before={before} after={after} />}
    </Dialog>
  );
}

function Side({
  item: { versions, name },
  at,
  label,
  onChoose,
}: {
  item: GalleryItem;
  at: number;
  label: string;
  onChoose(at: number): void;
}) {
  const texts = useTexts();
  const format = useFormat();
  const version = versions[at];
  if (!version) return null;
  return (
    <div className="versions-side">
      <div className="row">
        <select
          className="field"
          aria-label={label}
          value={at}
          onChange={(event) => onChoose(Number(event.target.value))}
        >
          {versions.map(({ at: made }, index) => (
            <option key={`${made} ${index}`} value={index}>
              {texts.versionNumber(index + 1, versions.length)} · {format.moment(made)}
            </option>
          ))}
        </select>
        {version.url ? (
          <a
            className="icon-button"
            href={version.url}
            download={name}
            aria-label={`${texts.download}: ${texts.versionNumber(at + 1, versions.length)}`}
          >
            <Download size={16} aria-hidden />
          </a>
        ) : null}
      </div>
      {version.url && version.mime.startsWith("image/") ? (
        <img src={version.url} alt={texts.versionNumber(at + 1, versions.length)} />
      ) : null}
    </div>
  );
}

const MOST_BYTES = 500_000;

function Changes({ before, after }: { before: GalleryVersion; after: GalleryVersion }) {
  const texts = useTexts();
  const [code, setCode] = useState<string>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    const end = new AbortController();
    const compare = async () => {
      const [old, young] = await Promise.all([read(before, end.signal), read(after, end.signal)]);
      if (old === undefined || young === undefined) return setProblem(texts.notComparable);
      setCode(diffLines(old, young));
    };
    compare().catch(() => end.signal.aborted || setProblem(texts.notComparable));
    return () => end.abort();
  }, [before, after, texts]);
  if (problem !== undefined) return <p className="quiet">{problem}</p>;
  if (code === undefined) return <p className="quiet">{texts.loading}</p>;
  return /^[-+]/m.test(code) ? (
    <Code code={code} language="diff" />
  ) : (
    <p className="quiet">{texts.noChange}</p>
  );
}

/** Undefined if it was not kept, is too long or is not text. */
async function read(
  { url, size_bytes: size = 0 }: GalleryVersion,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (url === undefined || size > MOST_BYTES) return undefined;
  const bytes = new Uint8Array(await (await fetch(url, { signal })).arrayBuffer());
  const { text, encoding } = decodeText(bytes);
  return encoding === "binary" ? undefined : text;
}
