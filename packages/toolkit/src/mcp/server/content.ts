import type { Artifact } from "@atoll/sandbox";
import type { ContentBlock } from "@modelcontextprotocol/sdk/types.js";
import type { ToolFile, ToolOutput } from "../../tool.ts";
import { toUri } from "../resources/sandbox-uri.ts";

/** What a tool says, shows and hands over, as the protocol's content. */
export function writeContent({ text, images = [], files = [] }: ToolOutput): ContentBlock[] {
  return [{ type: "text", text }, ...[...images, ...files].map(writeFile)];
}

/** Where the client finds what the call made. */
export function linkArtifacts(artifacts: Iterable<Artifact>): ContentBlock[] {
  return [...artifacts].slice(0, 50).map(({ path, mime, sizeBytes }) => ({
    type: "resource_link",
    uri: toUri(path),
    name: path.split("/").at(-1) ?? path,
    mimeType: mime,
    size: sizeBytes,
  }));
}

function writeFile({ name, mime, base64 }: ToolFile): ContentBlock {
  if (/^image\/(png|jpeg|gif|webp)$/.test(mime)) return { type: "image", data: base64, mimeType: mime };
  if (mime.startsWith("audio/")) return { type: "audio", data: base64, mimeType: mime };
  const place = { uri: toUri(name), mimeType: mime };
  const text = /^text\/|[/+](json|xml)$/.test(mime) ? decode(base64) : undefined;
  return { type: "resource", resource: text === undefined ? { ...place, blob: base64 } : { ...place, text } };
}

/** Undefined for what is no UTF-8. */
function decode(base64: string): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(base64, "base64"));
  } catch {
    return undefined;
  }
}
