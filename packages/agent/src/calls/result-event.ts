import type { RunEvent } from "@atoll/protocol";
import { toWireOutput } from "@atoll/protocol/schemas";
import type { RunOutput } from "@atoll/sandbox";

type ResultEvent = Extract<RunEvent, { type: "result" }>;
type WireOutput = ReturnType<typeof toWireOutput>;
type KeepImage = (image: { mime: string; base64: string }) => string | undefined;

/** A displayed value for the log. Images are kept elsewhere: an event has only their address. */
export function toResultEvent(callId: string, result: RunOutput, keepImage: KeepImage): ResultEvent {
  const wire = toWireOutput(result);
  const { png: _, jpeg: __, svg: ___, extra, ...forms } = wire;
  const image = findImage(wire);
  const url = image && keepImage(image);
  const others = Object.entries(extra ?? {}).filter(([mime]) => !isBinary(mime));
  return {
    type: "result",
    call_id: callId,
    ...forms,
    ...(image === undefined || url === undefined ? {} : { image: { mime: image.mime, url } }),
    ...(others.length === 0 ? {} : { extra: Object.fromEntries(others) }),
  };
}

function findImage({ png, jpeg, svg, extra }: WireOutput): { mime: string; base64: string } | undefined {
  if (png !== undefined) return { mime: "image/png", base64: png };
  if (jpeg !== undefined) return { mime: "image/jpeg", base64: jpeg };
  if (svg !== undefined) return { mime: "image/svg+xml", base64: Buffer.from(svg).toString("base64") };
  const [mime, base64] =
    Object.entries(extra ?? {}).find(([name, value]) => isImage(name) && typeof value === "string") ?? [];
  return mime === undefined ? undefined : { mime, base64: String(base64) };
}

function isImage(mime: string): boolean {
  return /^image\/(gif|webp)$/.test(mime);
}

function isBinary(mime: string): boolean {
  return /^(image|audio|video)\//.test(mime) || mime === "application/pdf";
}
