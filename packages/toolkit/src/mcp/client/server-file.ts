import { readFile } from "node:fs/promises";
import { AtollError } from "@atoll/sandbox";
import { z } from "zod";

const text = z.string().min(1);
const texts = z.record(z.string(), z.string());

const stdioEntry = z.object({
  type: z.literal("stdio").optional(),
  command: text,
  args: z.array(z.string()).optional(),
  env: texts.optional(),
  cwd: text.optional(),
});

const httpEntry = z.object({
  type: z.enum(["http", "streamable-http", "sse"]).optional(),
  url: z.url({ protocol: /^https?$/ }),
  headers: texts.optional(),
});

const shared = z.object({ description: z.string().optional(), disabled: z.boolean().optional() });
const name = z.string().min(1).max(64);
const file = z.object({
  mcpServers: z.record(name, z.union([stdioEntry.extend(shared.shape), httpEntry.extend(shared.shape)])),
});

export type ServerEntry = z.infer<typeof file>["mcpServers"][string];

/** The file that MCP clients share the form of: `{"mcpServers": {name: {command, args, env} | {url, headers}}}`. */
export async function readServerFile(path: string): Promise<ReadonlyMap<string, ServerEntry>> {
  const content = await readFile(path, "utf8").catch((cause: unknown) => {
    throw new AtollError("not_found", `cannot read the file of MCP servers, ${path}`, { cause });
  });
  const parsed = file.safeParse(parseJson(content, path));
  if (!parsed.success)
    throw new AtollError(
      "invalid_argument",
      `${path} does not say which MCP servers there are:\n${z.prettifyError(parsed.error)}`,
    );
  const entries = Object.entries(parsed.data.mcpServers).filter(([, { disabled }]) => !disabled);
  return new Map(entries);
}

function parseJson(content: string, path: string): unknown {
  try {
    return JSON.parse(content);
  } catch (cause) {
    throw new AtollError(
      "invalid_argument",
      `${path} is not JSON: ${(cause as Error).message.slice(0, 200)}`,
      {
        cause,
      },
    );
  }
}
