import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/sdk/types.js";
import type { ToolFile, ToolOutput } from "../../tool.ts";

/** Of what another server sends, together. */
const MOST_TEXT_CHARS = 4_000_000;
const MOST_FILE_CHARS = 20 * 1024 * 1024;
const MOST_DATA_CHARS = 1_000_000;
const MOST_BLOCKS = 1000;

/** What a tool of another server gave, as a tool of ours would say it. */
export function readRemoteOutput({ content, structuredContent, isError }: CallToolResult): ToolOutput {
  const taken = new Taken();
  for (const block of content.slice(0, MOST_BLOCKS)) taken.add(block);
  if (content.length > MOST_BLOCKS) taken.say(`[${content.length - MOST_BLOCKS} further parts are left out]`);
  const data = structuredContent && JSON.stringify(structuredContent);
  if (taken.texts.length === 0) taken.say(data ?? "(no output)");
  return {
    text: taken.texts.join("\n"),
    isError: isError ?? false,
    ...(data !== undefined && data.length <= MOST_DATA_CHARS ? { data: structuredContent } : {}),
    ...(taken.images.length > 0 ? { images: taken.images } : {}),
    ...(taken.files.length > 0 ? { files: taken.files } : {}),
  };
}

class Taken {
  readonly texts: string[] = [];
  readonly images: ToolFile[] = [];
  readonly files: ToolFile[] = [];
  #textChars = 0;
  #fileChars = 0;

  add(block: ContentBlock): void {
    if (block.type === "text") return this.say(block.text);
    if (block.type === "resource_link") return this.say(`[${block.name}: ${block.uri}]`);
    if (block.type === "resource") {
      const { resource } = block;
      if ("text" in resource) return this.say(`[${resource.uri}]\n${resource.text}`);
      return this.#keep({
        name: resource.uri,
        mime: resource.mimeType ?? "application/octet-stream",
        base64: resource.blob,
      });
    }
    const { type, mimeType: mime, data: base64 } = block;
    this.#keep({ name: `${type}-${this.images.length + this.files.length + 1}`, mime, base64 });
  }

  say(text: string): void {
    const room = MOST_TEXT_CHARS - this.#textChars;
    if (room <= 0) return;
    this.texts.push(text.length > room ? `${text.slice(0, room)}\n[the rest is left out]` : text);
    this.#textChars += text.length;
  }

  #keep(file: ToolFile): void {
    this.#fileChars += file.base64.length;
    if (this.#fileChars > MOST_FILE_CHARS)
      return this.say(`[${file.name} (${file.mime}) is too large and left out]`);
    this.say(`[${file.name}: ${file.mime}]`);
    (file.mime.startsWith("image/") ? this.images : this.files).push(file);
  }
}
