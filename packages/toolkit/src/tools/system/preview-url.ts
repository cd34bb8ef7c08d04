import { z } from "zod";
import { readModelText } from "../../model-text.ts";
import { success } from "../../output.ts";
import type { Tool } from "../../tool.ts";
import { notSupported, requireAbility } from "../abilities.ts";

const input = z.strictObject({
  port: z.int().min(1).max(65_535).describe("That a program in the sandbox listens on"),
});

export const previewUrl: Tool<z.infer<typeof input>> = {
  name: "preview_url",
  description: readModelText(import.meta.url),
  input,
  isReadOnly: true,
  async run({ port }, context) {
    if (!context.previewUrl) throw notSupported("there is no server here that shows a sandbox's pages");
    requireAbility(context, "ports");
    const { sandbox, signal } = context;
    const ports = await sandbox.ports.list({ signal });
    const url = await context.previewUrl(port, { signal });
    const note = ports.includes(port) ? "" : `\n[Nothing listens on port ${port} yet.]`;
    return success(`${url}${note}`, { data: { url, is_listening: ports.includes(port) } });
  },
};
