import type { LanguageModelV4FilePart } from "@ai-sdk/provider";
import type { ToolFile, ToolOutput } from "@atoll/toolkit";
import type { Message } from "./messages.ts";

/** Of one call, in base64. Providers take images of up to 5 MB. */
const MAX_CALL_CHARS = 5_000_000;
/** Of all messages of a turn; older ones give way. */
const MAX_TURN_CHARS = 16_000_000;

const seen = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);
const leftOut = "[A picture or document that was here is left out.]";

/** What a model can look at beside the text: images in the usual formats, and PDF documents. */
export function findPictures({ images = [], files = [], isError }: ToolOutput): LanguageModelV4FilePart[] {
  if (isError) return [];
  const candidates = [
    ...images.filter(({ mime }) => seen.has(mime)),
    ...files.filter(({ mime }) => mime === "application/pdf"),
  ];
  let chars = 0;
  return candidates
    .filter(({ base64 }) => {
      const isIn = chars + base64.length <= MAX_CALL_CHARS;
      if (isIn) chars += base64.length;
      return isIn;
    })
    .map(toPart);
}

/** For providers whose tool results are text: the images follow in a message of their own. */
export function showAfter(outputs: readonly ToolOutput[]): Message[] {
  const pictures = outputs.flatMap(findPictures).filter(({ mediaType }) => seen.has(mediaType));
  if (pictures.length === 0) return [];
  const names = pictures.map(({ filename }) => filename).join(", ");
  const text = `[What the tools above have shown: ${names}]`;
  return [{ role: "user", content: [{ type: "text", text }, ...pictures] }];
}

/** Takes the oldest pictures out until the rest is small enough; `maxChars` 0: all of them. */
export function limitPictures(messages: readonly Message[], maxChars = MAX_TURN_CHARS): Message[] {
  let chars = 0;
  const isTooMuch = (part: LanguageModelV4FilePart) => {
    chars += sizeOf(part);
    return chars > maxChars;
  };
  return messages
    .toReversed()
    .map((message) => withoutPictures(message, isTooMuch))
    .toReversed();
}

export function hasPictures(messages: readonly Message[]): boolean {
  let count = 0;
  for (const message of messages)
    withoutPictures(message, () => {
      count += 1;
      return false;
    });
  return count > 0;
}

function withoutPictures(message: Message, isUnwanted: (part: LanguageModelV4FilePart) => boolean): Message {
  const replace = <Part extends { type: string }>(part: Part) =>
    part.type === "file" && isUnwanted(part as unknown as LanguageModelV4FilePart)
      ? ({ type: "text", text: leftOut } as const)
      : part;
  if (message.role === "user") return { ...message, content: message.content.map(replace) } as Message;
  if (message.role !== "tool") return message;
  const content = message.content.map((part) => {
    if (part.type !== "tool-result" || part.output.type !== "content") return part;
    return { ...part, output: { ...part.output, value: part.output.value.map(replace) } };
  });
  return { ...message, content } as Message;
}

function toPart({ name, mime, base64 }: ToolFile): LanguageModelV4FilePart {
  return { type: "file", filename: name, mediaType: mime, data: { type: "data", data: base64 } };
}

function sizeOf({ data }: LanguageModelV4FilePart): number {
  return data.type === "data" && typeof data.data === "string" ? data.data.length : 0;
}
