import type { PythonRunOptions, RunResult } from "../../../contract/python.ts";
import type { Sandbox } from "../../../contract/sandbox.ts";

const leastTimeMs = 1000;

/** One run of a caller's, which may begin in one kernel and be done in another. */
export class RunOnce {
  readonly code: string;
  readonly context: string;
  readonly options: PythonRunOptions;
  readonly #startMs = performance.now();
  #hasShown = false;

  constructor(code: string, context: string, options: PythonRunOptions) {
    this.code = code;
    this.context = context;
    this.options = options;
  }

  get signal(): AbortSignal | undefined {
    return this.options.signal;
  }

  /** With what is left of the caller's time. */
  in(sandbox: Sandbox, { timeoutMs }: { timeoutMs?: number }): Promise<RunResult> {
    const { place: _, onStdout, onStderr, onResult, ...rest } = this.options;
    const leftMs =
      rest.timeoutMs && Math.max(leastTimeMs, rest.timeoutMs - (performance.now() - this.#startMs));
    const limit = timeoutMs ?? leftMs;
    return sandbox.python.run(this.code, {
      ...rest,
      context: this.context,
      ...(limit !== undefined && { timeoutMs: limit }),
      ...(onStdout && { onStdout: this.#noting(onStdout) }),
      ...(onStderr && { onStderr: this.#noting(onStderr) }),
      ...(onResult && { onResult: this.#noting(onResult) }),
    });
  }

  /** Whoever follows has seen output that now comes a second time: they are told. */
  startAgain(notice: string): void {
    if (this.#hasShown) this.options.onStderr?.(`[${notice}]\n`);
  }

  #noting<Item>(show: (item: Item) => void): (item: Item) => void {
    return (item) => {
      this.#hasShown = true;
      show(item);
    };
  }
}
