import { z } from "zod";
import { defineTool } from "../../define-tool.ts";
import { failure, success } from "../../output.ts";
import { pathInput } from "../paths.ts";

const input = z.strictObject({
  file: pathInput,
  content: z.string(),
  append: z.boolean().optional().describe("Add to the end instead of replacing the file"),
  encoding: z
    .enum(["utf-8", "utf-16", "latin-1", "base64"])
    .optional()
    .describe("Of the file; default utf-8. base64: the content is bytes in base64"),
});

export const fileWrite = defineTool(import.meta.url, {
  name: "file_write",
  input,
  isReadOnly: false,
  async run({ file, content, append = false, encoding = "utf-8" }, { sandbox, signal }) {
    const bytes = encode(content, encoding, append);
    if (typeof bytes === "string") return failure(bytes);
    const stat = await sandbox.files.write(file, bytes, { append, signal });
    return success(`${append ? "Added to" : "Wrote"} ${stat.path} (${stat.sizeBytes} bytes).`);
  },
});

/** The bytes, or what is wrong with the content. */
function encode(
  content: string,
  encoding: NonNullable<z.infer<typeof input>["encoding"]>,
  append: boolean,
): Uint8Array | string {
  switch (encoding) {
    case "utf-8":
      return Buffer.from(content, "utf8");
    case "utf-16":
      return Buffer.from(append ? content : `\ufeff${content}`, "utf16le");
    case "latin-1":
      return /[\u0100-\uffff]/.test(content)
        ? "The content has characters that latin-1 does not have. Use utf-8."
        : Buffer.from(content, "latin1");
    case "base64": {
      const plain = content.replaceAll(/\s/g, "");
      return /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/.test(plain)
        ? Buffer.from(plain, "base64")
        : "The content is not base64.";
    }
  }
}
