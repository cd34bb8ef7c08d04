import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Sandbox, type SandboxHandle } from "@atoll/sandbox";
import type { DataProfile, TableProfile } from "@atoll/protocol";

/** A folder of its own for one test file: the sandboxes' data and the files they are shown. */
export interface Bench {
  /** A sandbox with these files at `/data`. */
  open(files: Readonly<Record<string, string | Uint8Array>>): Promise<SandboxHandle>;
  /** What Python makes of an expression of type bytes. */
  bytes(expressions: Readonly<Record<string, string>>): Promise<Record<string, Uint8Array>>;
  close(): Promise<void>;
}

export async function openBench(runtime = "auto"): Promise<Bench> {
  const dir = await mkdtemp(join(tmpdir(), "atoll-tables-"));
  const dataDir = join(dir, "data");
  const opened: SandboxHandle[] = [];
  let count = 0;
  const open: Bench["open"] = async (files) => {
    const folder = join(dir, `files-${count++}`);
    await mkdir(folder);
    const datasets: Record<string, string> = {};
    for (const [number, [name, content]] of Object.entries(files).entries()) {
      datasets[name] = join(folder, String(number));
      await writeFile(datasets[name], content);
    }
    const sandbox = await Sandbox.create({ runtime, dataDir, datasets });
    opened.push(sandbox);
    return sandbox;
  };
  return {
    open,
    async bytes(expressions) {
      const sandbox = await open({});
      const lines = Object.values(expressions).map((code, number) => `open("${number}","wb").write(${code})`);
      const run = await sandbox.python.run(["import io", "import pandas as pd", ...lines].join("\n"));
      if (run.status !== "ok") throw new Error(run.error?.traceback ?? run.status);
      const names = Object.keys(expressions);
      const contents = await Promise.all(names.map((_, number) => sandbox.files.read(String(number))));
      return Object.fromEntries(names.map((name, number) => [name, contents[number] ?? new Uint8Array()]));
    },
    async close() {
      await Promise.all(opened.map((sandbox) => sandbox.destroy()));
      await rm(dir, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

export function tableOf(data: DataProfile, name: string): TableProfile {
  const table = data.tables.find((one) => one.name === name);
  if (table) return table;
  const other = data.others.find((one) => one.name === name);
  throw new Error(`no table ${name}: ${other ? (other.problem ?? "an other file") : "no such file"}`);
}

export function problemOf(data: DataProfile, name: string): string | undefined {
  const other = data.others.find((one) => one.name === name);
  if (!other) throw new Error(`${name} is not among the other files`);
  return other.problem;
}

/** `name:dtype` of each column. */
export function types({ columns }: TableProfile): string {
  return columns.map(({ name, dtype }) => `${name}:${dtype}`).join(" ");
}
