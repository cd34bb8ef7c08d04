/** Of the title what every file system takes; letters of any script stay. */
export function makeFileName(thread: { id: string; title: string | null }, extension: string): string {
  const words = (thread.title ?? "")
    .normalize("NFC")
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, "-")
    .replace(/^-+|(?<!-)-+$/g, "");
  const short = [...words]
    .slice(0, 60)
    .join("")
    .replace(/(?<!-)-+$/, "");
  const stem =
    short === "" || isReserved(short) ? `thread-${thread.id.replace(/[^\w-]/g, "").slice(0, 40)}` : short;
  return `${stem}.${extension}`;
}

/** Names that Windows keeps for devices. */
function isReserved(name: string): boolean {
  return /^(con|prn|aux|nul|com\d|lpt\d)$/i.test(name);
}
