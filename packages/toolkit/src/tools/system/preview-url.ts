import { z } from "zod";
import { defineTool } from "../../define-tool.ts";
import { success } from "../../output.ts";
import { notSupported, requireAbility } from "../abilities.ts";

const input = z.strictObject({
  port: z.int().min(1).max(65_535).describe("That a program in the sandbox listens on"),
});

export const previewUrl = defineTool(import.meta.url, {
  name: "preview_url",
  input,
  output: z.object({ url: z.string(), is_listening: z.boolean() }),
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
});
