import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { CLOSED_ADDRESS } from "../fuzz/known-values.ts";
import type { LiveObjects } from "../fuzz/live-objects.ts";
import { readApi } from "../fuzz/operations.ts";
import { type Bounds, SESSION_ID, writeConfig } from "./config.ts";

const root = resolve(import.meta.dirname, "../../..");
const setUpFile = join(root, ".atoll/python-schemathesis.json");
const python = existsSync(setUpFile)
  ? (JSON.parse(readFileSync(setUpFile, "utf8")) as { python: string }).python
  : "";

/** For `describeIf`: what this machine lacks. */
export const missingSchemathesis = existsSync(python)
  ? undefined
  : "there is no Schemathesis: node scripts/setup.mjs --test";

/** Failures that are none, and why. */
export const knownExceptions = JSON.parse(
  readFileSync(join(import.meta.dirname, "exceptions.json"), "utf8"),
) as readonly { readonly name: string; readonly reason: string }[];

/** A failure that one of exceptions.json explains, or that is new where `exception` is empty. */
export interface FoundFailure {
  readonly exception: string;
  readonly failure: string;
  readonly operation: string;
  readonly status: number;
  readonly message: string;
  readonly answer: string;
  readonly request: string;
  readonly body: string;
}

export interface SchemathesisRun {
  readonly output: string;
  readonly failures: readonly FoundFailure[];
  readonly cases: number;
  readonly operations: { readonly total: number; readonly tested: number };
  readonly errors: readonly { readonly title: string; readonly count: number }[];
}

/** Schemathesis with all its checks against a server. The seed repeats a run. */
export async function runSchemathesis(
  url: string,
  live: LiveObjects,
  bounds: Bounds,
): Promise<SchemathesisRun> {
  const folder = await mkdtemp(join(tmpdir(), "atoll-schemathesis-"));
  try {
    const { operations } = await readApi(url);
    const [configPath, reportPath, outcomePath] = ["config.toml", "report.json", "outcome.jsonl"].map(
      (name) => join(folder, name),
    ) as [string, string, string];
    await writeFile(configPath, writeConfig(operations, live, bounds));
    await writeFile(outcomePath, "");
    const env = {
      PATH: process.env["PATH"] ?? "",
      HOME: folder,
      SCHEMATHESIS_HOOKS: join(import.meta.dirname, "hooks.py"),
      ATOLL_URL: url,
      ATOLL_CLOSED_ADDRESS: CLOSED_ADDRESS,
      ATOLL_KEPT_IDS: JSON.stringify(await listIds(url)),
      ATOLL_SESSION_ID: SESSION_ID,
      ATOLL_OUTCOME: outcomePath,
      NO_PROXY: "*",
      PYTHONDONTWRITEBYTECODE: "1",
    };
    const report = ["--report", "json", "--report-json-path", reportPath];
    const args = ["--config-file", configPath, "run", `${url}/openapi.json`, "--no-color", ...report];
    const output = await run(["-m", "schemathesis.cli", ...args], { cwd: folder, env });
    if (!existsSync(reportPath)) throw new Error(`Schemathesis gave no report:\n${output}`);
    const { test_cases, operations: counts, errors } = JSON.parse(await readFile(reportPath, "utf8"));
    const lines = (await readFile(outcomePath, "utf8")).split("\n").filter((line) => line !== "");
    const failures = lines.map((line) => JSON.parse(line) as FoundFailure);
    return { output, failures, cases: test_cases.generated, operations: counts, errors };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Of what is there before: all that is made later is removed. */
async function listIds(url: string): Promise<string[]> {
  const read = async (path: string) => (await fetch(url + path)).json();
  const { threads } = (await read("/threads?limit=200&temporary=true")) as {
    threads: { thread_id: string }[];
  };
  const { sandboxes } = (await read("/sandboxes")) as { sandboxes: { sandbox_id: string }[] };
  return [...threads.map(({ thread_id }) => thread_id), ...sandboxes.map(({ sandbox_id }) => sandbox_id)];
}

async function run(args: readonly string[], options: { cwd: string; env: Record<string, string> }) {
  const child = spawn(python, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  const chunks: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (chunk: string) => chunks.push(chunk));
  await once(child, "close");
  return chunks.join("");
}
