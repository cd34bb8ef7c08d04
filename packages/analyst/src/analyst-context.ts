import type { CodeRun, WireTable } from "@atoll/protocol";

/** All that the analyst can do: run code where the tables are, and speak. */
export interface AnalystActions {
  runPython(code: string): Promise<PythonOutcome>;
  /** A piece of the answer, in the order of the text. */
  say(text: string): void;
  /** What it is doing now. */
  status(text: string): void;
  readonly signal: AbortSignal;
}

export interface PythonOutcome {
  readonly run: Pick<CodeRun, "status" | "error" | "output">;
  /** What the run showed, in order. */
  readonly results: readonly {
    readonly text?: string | undefined;
    readonly table?: WireTable | undefined;
    readonly isImage: boolean;
  }[];
}
