import { AtollError } from "@atoll/sandbox";

export interface Replacement {
  readonly oldString: string;
  readonly newString: string;
  readonly replaceAll: boolean;
}

/** The text with the replacement made, or why it was not. Every other byte stays as it is. */
export function replaceText(
  path: string,
  bytes: Uint8Array,
  { oldString, newString, replaceAll }: Replacement,
): { text: string; occurrences: number } | { error: string } {
  const text = decode(path, bytes);
  if (oldString === "") {
    if (text !== "") return { error: "oldString must not be empty unless the file is empty" };
    return { text: newString, occurrences: newString === "" ? 0 : 1 };
  }
  const parts = text.split(oldString);
  const occurrences = parts.length - 1;
  if (occurrences === 0) return { error: `String not found in file '${path}'` };
  if (occurrences > 1 && !replaceAll)
    return { error: `Multiple occurrences found in '${path}'. Use replaceAll=true to replace all.` };
  return { text: parts.join(newString), occurrences };
}

function decode(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new AtollError("invalid_argument", `'${path}' is no UTF-8 text and cannot be edited`, { cause });
  }
}
