import { z } from "zod";
import { readModelText } from "../model-text.ts";
import type { Tool } from "../tool.ts";

const input = z.object({
  file: z.string().min(1).describe("Path, absolute or from the workspace"),
  content: z.string(),
  append: z.boolean().optional().describe("Add to the end instead of replacing the file"),
});

export const fileWrite: Tool<z.infer<typeof input>> = {
  name: "file_write",
  description: readModelText(import.meta.url),
  input,
  isReadOnly: false,
  async run({ file, content, append = false }, { sandbox, signal }) {
    const stat = await sandbox.files.write(file, content, { append, signal });
    return {
      text: `${append ? "Added to" : "Wrote"} ${stat.path} (${stat.sizeBytes} bytes).`,
      isError: false,
    };
  },
};
