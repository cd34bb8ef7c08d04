/** A name that is safe as a file's in one folder and in a terminal, and as near to the given one as that allows. */
export function makeSafeName(given: string): string {
  const clean = given
    .slice(-maxGivenChars)
    .toWellFormed()
    .replaceAll(/[\t\n\v\f\r\u2028\u2029]/g, " ")
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}]/gu, "")
    .normalize("NFC")
    .replaceAll(/\s+/g, " ");
  const base = clean.split(/[/\\]/).at(-1) ?? "";
  const trimmed = base.replace(/^[.\-\s~]+/, "").replace(/(?<![.\s])[.\s]+$/, "");
  return trimmed === "" ? "file" : shorten(trimmed);
}

const maxNameBytes = 200;
const maxGivenChars = 4096;

function shorten(name: string): string {
  if (Buffer.byteLength(name) <= maxNameBytes) return name;
  const extension = /\.[\p{L}\p{N}]{1,8}$/u.exec(name)?.[0] ?? "";
  const stem = name.slice(0, name.length - extension.length);
  return (
    cutToBytes(stem, maxNameBytes - Buffer.byteLength(extension)).replace(/(?<![.\s])[.\s]+$/, "") + extension
  );
}

/** Whole characters only, as a reader sees them; a single one longer than that is cut between code points. */
function cutToBytes(text: string, maxBytes: number): string {
  const graphemes = new Intl.Segmenter().segment(text);
  const kept = takeWhileFits(
    [...graphemes].map(({ segment }) => segment),
    maxBytes,
  );
  return kept === "" ? takeWhileFits([...text], maxBytes) : kept;
}

function takeWhileFits(pieces: readonly string[], maxBytes: number): string {
  let bytes = 0;
  const kept: string[] = [];
  for (const piece of pieces) {
    bytes += Buffer.byteLength(piece);
    if (bytes > maxBytes) break;
    kept.push(piece);
  }
  return kept.join("");
}
