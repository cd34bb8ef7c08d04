import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Sandbox, type SandboxHandle } from "@atoll/sandbox";
import type { DataProfile, WireTable } from "@atoll/protocol";
import { loadTables } from "./tables/load-tables.ts";
import { answerBuiltIn } from "./answer.ts";
import type { PythonOutcome } from "./analyst-context.ts";
import { toCsv, type TestTable } from "./tables.harness.ts";

/** A sandbox with tables, asked by the analyst. For tests. */
export interface Session {
  readonly sandbox: SandboxHandle;
  readonly data: DataProfile;
  /** The last of the questions, the others being earlier messages of the thread. Drawing is slow: a chart that no test
   * looks at is closed before it is drawn. */
  ask(questions: readonly string[], options?: { isDrawn?: boolean }): Promise<Answer>;
}

export interface Answer {
  readonly text: string;
  readonly code: string;
  readonly charts: number;
  readonly tables: readonly WireTable[];
  readonly status: string;
  readonly pieces: number;
}

export interface Sessions {
  open(...tables: readonly (TestTable | { file: string; path: string })[]): Promise<Session>;
  close(): Promise<void>;
}

export async function openSessions(): Promise<Sessions> {
  const folder = await mkdtemp(join(tmpdir(), "atoll-analyst-"));
  const opened: SandboxHandle[] = [];
  return {
    async open(...tables) {
      const datasets: Record<string, string> = {};
      const files = join(folder, `files-${opened.length}`);
      await mkdir(files);
      for (const [number, table] of tables.entries()) {
        datasets[table.file] = "path" in table ? table.path : join(files, String(number));
        if (!("path" in table)) await writeFile(datasets[table.file]!, toCsv(table));
      }
      const sandbox = await Sandbox.create({ dataDir: join(folder, "data"), datasets });
      opened.push(sandbox);
      const data = await loadTables(sandbox, { order: tables.map((table) => table.file) });
      return {
        sandbox,
        data,
        ask: (questions, options) => ask(sandbox, data, questions, options?.isDrawn !== false),
      };
    },
    async close() {
      await Promise.all(opened.map((sandbox) => sandbox.destroy()));
      await rm(folder, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

async function ask(
  sandbox: SandboxHandle,
  data: DataProfile,
  questions: readonly string[],
  isDrawn: boolean,
): Promise<Answer> {
  const seen = { text: "", code: "", charts: 0, tables: [] as WireTable[], status: "none", pieces: 0 };
  const history = questions.slice(0, -1).map((user) => ({ user, status: "completed" as const, parts: [] }));
  await answerBuiltIn(
    questions.at(-1) ?? "",
    { history, data },
    {
      signal: new AbortController().signal,
      status: () => {},
      say: (piece) => {
        seen.text += piece;
        seen.pieces += 1;
      },
      runPython: async (code) => {
        seen.code = code;
        const outcome = await runPython(sandbox, isDrawn ? code : withoutDrawing(code));
        seen.status = outcome.run.status;
        seen.charts = outcome.results.filter((result) => result.isImage).length;
        seen.tables = outcome.results.flatMap((result) => result.table ?? []);
        return outcome;
      },
    },
  );
  return seen;
}

async function runPython(sandbox: SandboxHandle, code: string): Promise<PythonOutcome> {
  const run = await sandbox.python.run(code);
  const results = run.results.map(({ text, png, table }) => ({
    text,
    isImage: png !== undefined,
    table: table && {
      columns: table.columns.map((column) => ({ ...column })),
      rows: table.rows.map((row) => [...row]),
      total_rows: table.totalRows,
      total_columns: table.totalColumns,
    },
  }));
  return {
    run: {
      status: run.status,
      output: run.stdout + run.stderr,
      ...(run.error && { error: { ...run.error } }),
    },
    results,
  };
}

function withoutDrawing(code: string): string {
  const lines = code.split("\n");
  return code.includes("plt.") ? [...lines.slice(0, -1), 'plt.close("all")', lines.at(-1)].join("\n") : code;
}
