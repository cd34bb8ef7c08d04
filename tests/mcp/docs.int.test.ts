import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { permissionRuleSchema } from "@atoll/toolkit";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { describe, expect, it, onTestFinished } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const page = await readFile(join(root, "docs/mcp.md"), "utf8");
const blocks = [...page.matchAll(/```json\n([\s\S]*?)```/g)].map(
  ([, text]) => JSON.parse(text ?? "") as object,
);
type Entry = { command?: string; args?: string[]; url?: string; httpUrl?: string };
const entries = blocks
  .filter((block) => !Array.isArray(block))
  .flatMap((block) => Object.values(block).flatMap((servers) => Object.values(servers as object))) as Entry[];

describe("docs/mcp.md", () => {
  it("has snippets that parse, and that lead to this program or to its address", () => {
    expect(blocks.length).toBeGreaterThanOrEqual(6);
    for (const { command, args, url, httpUrl } of entries)
      if (command === "npx")
        expect(args?.slice(0, 4)).toEqual(["--prefix", "/path/to/atoll", "atoll", "mcp"]);
      else if (!command) expect(url ?? httpUrl).toMatch(/\/mcp$/);
  });

  it("has an example of rules that the schema accepts", () => {
    const rules = blocks.filter((block) => Array.isArray(block));
    expect(rules).toHaveLength(1);
    expect(() => permissionRuleSchema.array().parse(rules[0])).not.toThrow();
  });

  it("names exactly the options that the command has", async () => {
    const main = join(root, "packages/cli/src/main.ts");
    const { stdout } = await promisify(execFile)(process.execPath, [main, "help"]);
    const [, section = ""] = /^Options of mcp:\n([\s\S]*?)\n\n/m.exec(stdout) ?? [];
    const options = [...section.matchAll(/ (--[\w-]+)/g)].map(([, name]) => name);
    const listed = [...page.matchAll(/^\| (?:`-\w`, )?`(--[\w-]+) /gm)].map(([, name]) => name);
    expect(options.length).toBeGreaterThan(5);
    expect(listed.toSorted()).toEqual(options.toSorted());
  });

  it("has a command line that works from any folder", async () => {
    const folder = await mkdtemp(join(tmpdir(), "atoll-mcp-docs-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));
    const entry = entries.find(({ command }) => command === "npx");
    const args = (entry?.args ?? []).map((arg) => arg.replace("/path/to/atoll", root));
    const client = new Client({ name: "docs", version: "1" });
    await client.connect(
      new StdioClientTransport({
        command: entry?.command ?? "",
        args,
        cwd: folder,
        env: { ATOLL_DATA_DIR: join(folder, "data") },
        stderr: "ignore",
      }),
    );
    onTestFinished(() => client.close());
    const { content } = await client.callTool({ name: "execute_python", arguments: { code: "6 * 7" } });
    expect(content).toMatchObject([{ text: "42" }]);
  });
});
