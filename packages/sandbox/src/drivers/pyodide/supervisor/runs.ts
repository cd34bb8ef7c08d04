import type { RunError, RunResult } from "../../../contract/python.ts";
import type { SandboxPaths } from "../../../contract/sandbox.ts";
import type { Limits } from "../../../contract/limits.ts";
import { type ErrorCode, errorCodes, makeNotice } from "@atoll/protocol";
import { AtollError } from "../../../errors.ts";
import type { GuestNotice } from "../../../guest/notices.ts";
import type { GuestCall, GuestEvent } from "../../../guest/wire/connection.ts";
import { findArtifacts } from "../files/artifacts.ts";
import { Asking, type KernelError, type Outcome } from "./asking.ts";
import type { FileStore } from "../files/file-store.ts";
import type { Kernel } from "./kernel.ts";
import { Head } from "./output.ts";
import { describeAbsence } from "../distribution/packages.ts";
import { newRunMutex } from "../../_shared/run-mutex.ts";

const maxResultBytes = 32 * 1024 * 1024;
/** What a value costs whoever keeps it, beside its bytes. */
const resultCostBytes = 1024;
/** Each costs a kernel. */
const maxFatalValues = 30;
const MiB = 1024 * 1024;

type RunReply = Pick<
  RunResult,
  "status" | "exitCode" | "truncated" | "error" | "durationMs" | "kernelRestarted" | "artifacts"
> & { readonly notices: readonly GuestNotice[] };

/** `python.*`: one thing at a time in the one kernel, stopped when its time is up. */
export class Runs {
  readonly #kernel: Kernel;
  readonly #store: FileStore;
  readonly #paths: SandboxPaths;
  readonly #limits: Limits;
  readonly #asking: Asking;
  readonly #mutex = newRunMutex();
  /** Also those that wait for their turn. */
  #running = 0;

  constructor(kernel: Kernel, store: FileStore, paths: SandboxPaths, limits: Limits) {
    this.#kernel = kernel;
    this.#asking = new Asking(kernel);
    this.#store = store;
    this.#paths = paths;
    this.#limits = limits;
  }

  get isBusy(): boolean {
    return this.#mutex.isLocked;
  }

  pause(): void {
    this.#asking.pause();
  }

  resume(): void {
    this.#asking.resume();
  }

  async run(params: Record<string, unknown>, { body, signal, onEvent }: GuestCall): Promise<RunReply> {
    this.#running++;
    const done = await this.#mutex.acquire({ signal }).catch((error: unknown) => {
      this.#running--;
      throw error;
    });
    try {
      const timeoutMs = params["timeoutMs"] as number;
      const limitBytes = params["maxOutputBytes"] as number;
      await this.#kernel.ready();
      await this.#store.settled();
      this.#store.startNoting();
      const heads = makeHeads(limitBytes, onEvent);
      let resultBytes = 0;
      const startedAt = performance.now();
      const metNewKernel = this.#takeLoss();
      const outcome = await this.#asking.ask({
        params: { op: "run" },
        ...(body && { body }),
        timeoutMs,
        signal,
        onEvent(event) {
          if (event.name === "stdout" || event.name === "stderr") heads[event.name].feed(event.body);
          if (event.name !== "result") return;
          resultBytes += event.body.length + resultCostBytes;
          if (resultBytes <= maxResultBytes) onEvent?.(event);
        },
      });
      const durationMs = performance.now() - startedAt;
      this.#kernel.executionCount = outcome.reply?.count ?? 0;
      await this.#store.settled();
      const result = this.#describe(outcome, timeoutMs, metNewKernel);
      const cut = (["stdout", "stderr"] as const).filter((name) => heads[name].isCut);
      return {
        ...result,
        truncated: {
          stdout: heads.stdout.isCut,
          stderr: heads.stderr.isCut,
          results: resultBytes > maxResultBytes,
        },
        notices: [
          ...result.notices,
          ...cut.map((stream) => makeNotice("output_cut", { bytes: limitBytes, stream })),
          ...this.#store.takeFailures(),
        ],
        durationMs,
        artifacts: findArtifacts(this.#store, this.#paths),
      };
    } finally {
      this.#running--;
      done();
    }
  }

  /** At what the kernel has. Nobody waits for code to end with it: that may take for ever. */
  async look(
    operation: string,
    params: Record<string, unknown>,
    { signal, onEvent }: GuestCall,
  ): Promise<unknown> {
    if (this.#running > 0) throw new AtollError("busy", "the kernel runs code at this moment");
    const done = await this.#mutex.acquire({ signal });
    let pageBytes = 0;
    try {
      const outcome = await this.#asking.ask({
        params: { ...params, op: operation },
        timeoutMs: params["timeoutMs"] as number,
        signal,
        onEvent(event) {
          if (event.name !== "page") return;
          pageBytes += event.body.length + resultCostBytes;
          if (pageBytes <= maxResultBytes) onEvent?.(event);
        },
      });
      return replyOf(outcome);
    } finally {
      done();
    }
  }

  async snapshot(params: Record<string, unknown>, { signal }: GuestCall, path: string): Promise<unknown> {
    const done = await this.#mutex.acquire({ signal });
    try {
      if (this.#kernel.hasLostVariables) throw nothingToSave();
      const startedAt = performance.now();
      const { maxValueBytes, maxBytes, only, leaveOut } = params;
      const outcome = await this.#asking.ask({
        params: { op: "snapshot", path, maxValueBytes, maxBytes, only, leaveOut },
        timeoutMs: params["timeoutMs"] as number,
        signal,
        onEvent() {},
      });
      await this.#store.settled();
      return { path, ...replyOf(outcome), durationMs: performance.now() - startedAt };
    } finally {
      done();
    }
  }

  /** Into a new kernel. A value that ends even that one is left out of a second try. `isAdded`: see the contract. */
  async restore(params: Record<string, unknown>, { signal }: GuestCall, path: string): Promise<unknown> {
    const { isAdded, forget } = params;
    const done = await this.#mutex.acquire({ signal });
    const ask = (op: string, skip: readonly string[] = []) =>
      this.#asking.ask({
        params: { op, path, skip, isAdded, forget },
        timeoutMs: params["timeoutMs"] as number,
        signal,
        onEvent() {},
      });
    try {
      const startedAt = performance.now();
      const fatal: string[] = [];
      await this.#kernel.ready();
      if (isAdded) return { ...replyOf(await ask("restore")), durationMs: performance.now() - startedAt };
      // Checked in the old kernel first: a bad file must not cost it its variables.
      if (!this.#kernel.isUnused) replyOf(await ask("check"));
      while (true) {
        if (!this.#kernel.isUnused) await this.#kernel.end();
        this.#takeLoss();
        const outcome = await ask("restore", fatal);
        const { reply, stoppedBy, latestValue } = outcome;
        const isLast =
          reply ||
          stoppedBy ||
          latestValue === undefined ||
          fatal.length >= maxFatalValues ||
          fatal.includes(latestValue);
        if (isLast) return { ...replyOf(outcome), durationMs: performance.now() - startedAt };
        fatal.push(latestValue);
      }
    } finally {
      done();
    }
  }

  interrupt(): void {
    if (this.isBusy) void this.#asking.interrupt().catch(() => {});
  }

  /** Ends what runs, and throws the variables away. */
  async restart(): Promise<void> {
    this.#asking.stopForRestart();
    await this.#kernel.end();
    this.#takeLoss();
    this.#kernel.executionCount = 0;
  }

  #takeLoss(): boolean {
    const hasLost = this.#kernel.hasLostVariables;
    this.#kernel.hasLostVariables = false;
    return hasLost;
  }

  #describe(
    { reply, ending, stoppedBy }: Outcome,
    timeoutMs: number,
    metNewKernel: boolean,
  ): Pick<RunReply, "status" | "exitCode" | "error" | "kernelRestarted" | "notices"> {
    const notices: GuestNotice[] = [];
    let error = reply?.error && toRunError(reply.error);
    let status: RunReply["status"] = error ? "error" : "ok";
    let exitCode = reply?.exitCode ?? (error ? 1 : 0);
    if (ending) {
      status = "killed";
      exitCode = ending.exitCode;
      const value = ending.reason ?? `The kernel ended with exit code ${exitCode}.`;
      error = { name: "KernelDied", value, traceback: "" };
      if (ending.reason) notices.push(ending.notice ?? ending.reason);
      if (ending.isMemory)
        notices.push(makeNotice("memory", { limit: `${this.#limits.memoryBytes / MiB} MiB` }));
    }
    if (stoppedBy === "timeout") {
      [status, exitCode] = ["timeout", 124];
      notices.push(makeNotice("timeout", { seconds: timeoutMs / 1000 }));
    } else if (stoppedBy) {
      [status, exitCode] = ["killed", 130];
      notices.push(makeNotice("stopped_by_caller", {}));
    }
    if (ending) notices.push(makeNotice("kernel_restarted", {}));
    else if (metNewKernel) notices.push(makeNotice("kernel_ended", {}));
    const wanted =
      error?.name === "ModuleNotFoundError" && /No module named '([\w.]+)'/.exec(error.value)?.[1];
    const absence = wanted && describeAbsence(wanted);
    if (absence) notices.push(absence);
    const kernelRestarted = ending !== undefined || metNewKernel;
    return { status, exitCode, kernelRestarted, notices, ...(error && { error }) };
  }
}

function makeHeads(
  limitBytes: number,
  onEvent: ((event: GuestEvent) => void) | undefined,
): Record<"stdout" | "stderr", Head> {
  const make = (name: string) => new Head(limitBytes, (body) => onEvent?.({ name, data: {}, body }));
  return { stdout: make("stdout"), stderr: make("stderr") };
}

function replyOf({ reply, ending, stoppedBy }: Outcome): Record<string, unknown> {
  if (stoppedBy)
    throw new AtollError(stoppedBy === "timeout" ? "timeout" : "aborted", "stopped before it was done");
  if (!reply)
    throw new AtollError("internal", ending?.reason ?? `the kernel ended with exit code ${ending?.exitCode}`);
  if (reply.error) throw toFailure(reply.error);
  return reply.reply ?? {};
}

/** Whatever form it has: it comes from where user code runs. */
function toRunError({ name = "Error", value = "", traceback = "" }: KernelError): RunError {
  return { name, value, traceback };
}

function toFailure({ code = "internal", message = "" }: KernelError): AtollError {
  const isKnown = (errorCodes as readonly string[]).includes(code) && code !== "sandbox_dead";
  return new AtollError(isKnown ? (code as ErrorCode) : "internal", message);
}

function nothingToSave(): AtollError {
  return new AtollError("not_found", "the kernel ended since the last run: there are no variables to save");
}
