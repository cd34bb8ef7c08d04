import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pyodideDriver, type SandboxHandle } from "@atoll/sandbox";
import { evaluate } from "@atoll/sandbox/conformance";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const folder = join(import.meta.dirname, "wasm");
const source = await readFile(join(folder, "ways_out.py"), "utf8");
const ways = [...source.matchAll(/^(?:async )?def ([a-z]\w*)\(/gm)]
  .map(([, name]) => name ?? "")
  .filter((name) => name !== "try_out");

/**
 * Every known way from Python to the machine around the interpreter, each tried twice: in plain Pyodide, where it leads
 * to a secret of the host, which shows that the probe works; and in a sandbox, where it leads nowhere.
 */
describe("ways out of Python in WebAssembly", () => {
  const token = randomBytes(16).toString("hex");
  const variable = "ATOLL_TEST_WAY_OUT";
  let host = "";
  let server: Server;
  let requests = 0;
  let sandbox: SandboxHandle;
  let args = "";
  let opened: Record<string, string> = {};

  beforeAll(async () => {
    process.env[variable] = token;
    host = await mkdtemp(join(tmpdir(), "atoll-ways-"));
    await writeFile(join(host, "secret"), token);
    server = createServer((_, response) => {
      requests++;
      response.end(token);
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    args = JSON.stringify({ file: join(host, "secret"), variable, port, token });
    opened = await tryInOpenInterpreter(withArguments(args), ways);
    requests = 0;
    sandbox = await pyodideDriver.create({ dataDir: join(host, "data"), limits: { timeoutMs: 60_000 } });
  }, 240_000);

  afterAll(async () => {
    await sandbox?.destroy();
    server.close();
    await rm(host, { recursive: true, force: true, maxRetries: 10 });
    Reflect.deleteProperty(process.env, variable);
  });

  it("are many", () => {
    expect(ways.length).toBeGreaterThan(15);
  });

  it.each(ways)("%s leads out of plain Pyodide", (way) => {
    expect(opened[way]).toBe("out");
  });

  it.each(ways)("%s leads nowhere from a sandbox", async (way) => {
    await sandbox.files.write("way.txt", "still here");
    const code = `import asyncio\n${withArguments(args)}\nprint(await try_out(${JSON.stringify(way)}))`;
    const { status, stdout, stderr, notices, error } = await sandbox.python.run(code);
    const seen = [stdout, stderr, ...notices, error?.value, error?.traceback].join("\n");
    expect(seen).not.toContain(token);
    expect(requests).toBe(0);
    // Refused in words, or ended with the interpreter that tried it.
    if (status === "ok") expect(stdout).toMatch(/^\w+(Error|Exception): /);
    else
      expect([status, notices.join()]).toEqual(["killed", expect.stringContaining("reached for JavaScript")]);
    expect(await sandbox.files.readText("way.txt")).toBe("still here");
    expect(await evaluate(sandbox, "6 * 7")).toBe("42");
  });

  it("the process has an empty environment, and knows no path of the host", async () => {
    const found = await evaluate(
      sandbox,
      "import os, sys; [text for text in [*os.environ.values(), sys.executable, *sys.argv, *sys.path, sys.prefix] if 'node' in str(text) or '/work' in str(text).replace('/workspace', '')]",
    );
    expect(found).toBe("[]");
  });
});

function withArguments(args: string): string {
  return `import json\nARGS = json.loads(${JSON.stringify(args)})\n${source}`;
}

async function tryInOpenInterpreter(code: string, names: string[]): Promise<Record<string, string>> {
  const require = createRequire(import.meta.resolve("@atoll/sandbox"));
  const program = [join(folder, "open-interpreter.mjs"), require.resolve("pyodide/pyodide.mjs")];
  const child = spawn(process.execPath, program, { stdio: ["pipe", "pipe", "inherit"] });
  child.stdin.end(JSON.stringify({ source: code, names }));
  let output = "";
  for await (const chunk of child.stdout) output += String(chunk);
  return JSON.parse(output.trim().split("\n").at(-1) ?? "{}") as Record<string, string>;
}
