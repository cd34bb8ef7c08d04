import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Artifact, type CreateOptions, Sandbox, type SandboxHandle } from "@atoll/sandbox";
import { findTool } from "./aliases.ts";
import { SessionBrowser } from "./browser/session-browser.ts";
import { callTool, parseInput } from "./call.ts";
import { failure } from "./output.ts";
import type { CodeReport, ToolContext, ToolOutput } from "./tool.ts";

/** A sandbox for one test file, and calls of tools in it as a session makes them. */
export interface TestSession {
  readonly sandbox: SandboxHandle;
  readonly browser: SessionBrowser;
  readonly reports: CodeReport[];
  readonly artifacts: Artifact[];
  readonly printed: string[];
  call(name: string, input: unknown, options?: Partial<ToolContext>): Promise<ToolOutput>;
  /** The text of a call that must succeed. */
  text(name: string, input: unknown, options?: Partial<ToolContext>): Promise<string>;
  close(): Promise<void>;
}

/** The files are its datasets. */
export async function openSession(
  files: Readonly<Record<string, string | Uint8Array>> = {},
  options: Pick<CreateOptions, "network" | "egress" | "env" | "runtime"> = {},
): Promise<TestSession> {
  const dataDir = await mkdtemp(join(tmpdir(), "atoll-tools-"));
  const datasets: Record<string, string> = {};
  await mkdir(join(dataDir, "given"));
  for (const [index, [name, content]] of Object.entries(files).entries()) {
    datasets[name] = join(dataDir, "given", String(index));
    await writeFile(datasets[name], content);
  }
  const sandbox = await Sandbox.create({ dataDir, datasets, ...options });
  const browser = new SessionBrowser({
    id: `browser-${sandbox.id}`,
    sandbox: async () => sandbox.restricted(),
    dataDir,
    runtime: sandbox.info.driver,
    egress: options.egress,
  });
  const reports: CodeReport[] = [];
  const artifacts: Artifact[] = [];
  const printed: string[] = [];
  let count = 0;
  const call: TestSession["call"] = async (name, input, changes = {}) => {
    const tool = findTool(name);
    if (!tool) throw new Error(`no tool ${name}`);
    count += 1;
    const parsed = parseInput(tool, input);
    if ("fault" in parsed) return failure(parsed.fault);
    return callTool(tool, parsed.input, {
      callId: `c${count}`,
      sandbox: sandbox.restricted(),
      signal: new AbortController().signal,
      browser,
      maxOutputChars: 10_000,
      report: {
        codeStarted() {},
        output: (_, text) => void printed.push(text),
        result() {},
        artifact: (artifact) => void artifacts.push(artifact),
        codeEnded: (report) => void reports.push(report),
      },
      ...changes,
    });
  };
  return {
    sandbox,
    browser,
    reports,
    artifacts,
    printed,
    call,
    async text(name, input, changes) {
      const output = await call(name, input, changes);
      if (output.isError) throw new Error(`${name}: ${output.text}`);
      return output.text;
    },
    async close() {
      await browser.end();
      await sandbox.destroy();
      await rm(dataDir, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}
