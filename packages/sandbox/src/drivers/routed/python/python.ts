import { posix } from "node:path";
import { LRUCache } from "lru-cache";
import type { Mutex } from "@atoll/std";
import type { Python, PythonRunOptions, RunResult } from "../../../contract/python.ts";
import { AtollError } from "../../../errors.ts";
import { checkText } from "../../../guest/arguments.ts";
import { analyzeCode, type CodeAnalysis } from "../../../routing/analysis.ts";
import { type Decision, decidePlace, placeNames, type RoutingLimits } from "../../../routing/decision.ts";
import { makeNotice, type Notice, type PlaceReason } from "@atoll/protocol";
import { describeNotices, listNotices } from "../../../guest/notices.ts";
import { sayReason } from "../../../routing/reasons.ts";
import { createContexts, requireContext } from "./contexts.ts";
import { measureFiles, readOwnModules, sizeInside } from "../files/file-sizes.ts";
import { findIncapacity, type Incapacity } from "./failures.ts";
import { createInspection } from "./inspection.ts";
import { type Kernels, noteLost } from "../variables/kernels.ts";
import { ensureContext } from "../variables/transfer-variables.ts";
import type { Pair } from "../pair.ts";
import { type Point, Points } from "./rollback-point.ts";
import { RunOnce } from "./run-once.ts";
import { newRunMutex } from "../../_shared/run-mutex.ts";

export interface RoutedPythonOptions {
  readonly pair: Pair;
  readonly kernels: Kernels;
  /** That the light runtime can import. */
  readonly modules: ReadonlySet<string>;
  readonly limits: RoutingLimits;
  /** Of a run that sets no time-out of its own. */
  readonly timeoutMs: number;
  /** Name inside `/data` → path on the host. */
  readonly datasets: Readonly<Record<string, string>>;
  /** Those of them that are too large for the light runtime. */
  readonly onlyHeavyDatasets: ReadonlySet<string>;
}

/** Code that failed in the light runtime is remembered, so that it is not tried there again. */
const maxRemembered = 200;

export function createRoutedPython(options: RoutedPythonOptions): Python {
  const routed = new RoutedPython(options);
  return {
    ...createContexts(options.pair, options.kernels),
    ...createInspection(options.pair, options.kernels),
    run: (code, given) => routed.run(code, given),
  };
}

class RoutedPython {
  readonly #options: RoutedPythonOptions;
  readonly #points: Points;
  /** By context. */
  readonly #mutexes = new Map<string, Mutex>();
  readonly #missing = new Set<string>();
  readonly #failed = new LRUCache<string, PlaceReason>({ max: maxRemembered });

  constructor(options: RoutedPythonOptions) {
    this.#options = options;
    this.#points = new Points(options.pair);
  }

  async run(code: string, options: PythonRunOptions = {}): Promise<RunResult> {
    checkText("code", code);
    const context = checkText("context", options.context ?? "default");
    const mutex = this.#mutexes.get(context) ?? newRunMutex();
    this.#mutexes.set(context, mutex);
    try {
      return await mutex.run(() => this.#route(new RunOnce(code, context, options)), options);
    } finally {
      if (!mutex.isLocked) this.#mutexes.delete(context);
    }
  }

  async #route(run: RunOnce): Promise<RunResult> {
    await requireContext(this.#options.pair, run.context);
    const analysis = analyzeCode(run.code);
    const decision = await this.#decide(run, analysis);
    return decision.place === "heavy"
      ? this.#runHeavy(run, analysis, decision)
      : this.#runLight(run, analysis, decision);
  }

  async #decide({ code, context, options }: RunOnce, analysis: CodeAnalysis): Promise<Decision> {
    const { pair, kernels, modules, limits, datasets } = this.#options;
    if (!pair.hasLightKernel(context)) return { place: "heavy", reasons: [{ code: "own_context" }] };
    if (options.place) return { place: options.place, reasons: [{ code: "asked" }] };
    const variables = kernels.of(context);
    if (variables.unlisted.has("heavy") && pair.hasHeavy) await kernels.ask("heavy", context);
    const { files } = analysis.calls;
    const hasUnknownModule = analysis.modules.some(({ module }) => !modules.has(module.split(".")[0] ?? ""));
    const home = files.length > 0 || hasUnknownModule ? await pair.home() : pair.light;
    const failedBefore = this.#failed.get(code);
    return decidePlace(analysis, {
      modules,
      ownModules: hasUnknownModule
        ? await readOwnModules(analysis, home, (name) => modules.has(name))
        : new Map(),
      fileBytes: await measureFiles(files, (path) => sizeInside(path, home, datasets)),
      names: new Map([...variables.places, ["_", variables.last]]),
      unlisted: variables.unlisted,
      missing: this.#missing,
      ...(failedBefore !== undefined && { failedBefore }),
      limits,
    });
  }

  async #runHeavy(
    run: RunOnce,
    analysis: CodeAnalysis,
    decision: Decision,
    { point, notices = [] }: { point?: Point; notices?: readonly Notice[] } = {},
  ): Promise<RunResult> {
    const { pair, kernels } = this.#options;
    const { context, signal } = run;
    const heavy = await pair.heavy();
    await ensureContext(heavy, context);
    const lost = await kernels.toHeavy(context, {
      ...(point?.variables && { saved: point.variables }),
      ...(signal && { signal }),
    });
    const isRestless = analysis.calls.processes.length > 0 || analysis.magics.length > 0;
    try {
      const result = await run.in(heavy, {});
      await kernels.noteRun("heavy", context, analysis, result);
      return place(result, decision, {
        isRetried: point !== undefined,
        notices: [...notices, ...noteLost(lost, analysis, "heavy")],
      });
    } finally {
      pair.touched({ isRestless });
    }
  }

  async #runLight(run: RunOnce, analysis: CodeAnalysis, decision: Decision): Promise<RunResult> {
    const { pair, kernels, limits } = this.#options;
    const { context, options } = run;
    const variables = kernels.of(context);
    await pair.unite();
    const wanted = options.place
      ? [...analysis.reads].filter((name) => variables.places.get(name) === "heavy")
      : [];
    const lost = await kernels.toLight(context, wanted, run.signal);
    // What ends at once can neither fail for want of anything nor write a file.
    const mayHaveToMove = options.place === undefined && !analysis.isBrief;
    const point = mayHaveToMove ? await this.#points.take(context, variables) : undefined;
    const callerMs = options.timeoutMs ?? this.#options.timeoutMs;
    const timeoutMs = options.place ? callerMs : Math.min(callerMs, limits.timeoutMs);
    const endings = kernels.endings(context);
    try {
      const result = await run.in(pair.light, { timeoutMs });
      const facts = {
        hasMoreTime: timeoutMs < callerMs,
        isOnlyHeavy: (path: string) => this.#isOnlyHeavy(path),
      };
      // A kernel that its user has ended did not fail.
      const isEnded = kernels.endings(context) !== endings;
      const incapacity = point && !isEnded && findIncapacity(result, facts);
      if (incapacity) return await this.#runAgain(run, analysis, result, point, incapacity);
      await kernels.noteRun("light", context, analysis, result);
      return place(result, decision, { notices: noteLost(lost, analysis, "light") });
    } catch (error) {
      if (!(point && error instanceof AtollError && error.code === "not_supported")) throw error;
      return this.#runHeavy(
        run,
        analysis,
        { place: "heavy", reasons: [{ code: "light_cannot" }] },
        { point },
      );
    } finally {
      if (!analysis.isBrief) pair.touched();
    }
  }

  /** In the other runtime, with files and variables as they were before; where that cannot be had, not at all. */
  async #runAgain(
    run: RunOnce,
    analysis: CodeAnalysis,
    result: RunResult,
    point: Point,
    { reason, module, isLasting }: Incapacity,
  ): Promise<RunResult> {
    const { kernels } = this.#options;
    const why = sayReason(reason);
    if (module !== undefined) this.#missing.add(module);
    if (isLasting) this.#remember(run.code, { ...reason, before: true });
    const hadVariables = point.names.length > 0;
    const blocker =
      hadVariables && !point.variables
        ? "its variables could not be saved before it began"
        : await this.#points.takeBackFiles(point);
    if (blocker !== undefined) {
      await kernels.noteRun("light", run.context, analysis, result);
      const notice = makeNotice("not_run_again", { reason: why, runtime: placeNames.heavy, blocker });
      return place(result, { place: "light", reasons: [{ code: "plain" }] }, { notices: [notice] });
    }
    run.startAgain(`${why}: run again in ${placeNames.heavy}, from the start.`);
    const notices = [makeNotice("run_again", { reason: why, runtime: placeNames.heavy })];
    return this.#runHeavy(run, analysis, { place: "heavy", reasons: [reason] }, { point, notices });
  }

  #isOnlyHeavy(path: string): boolean {
    const { pair, onlyHeavyDatasets } = this.#options;
    const { workspace, data } = pair.light.info.paths;
    const inside = posix.resolve(workspace, path);
    const name = inside.startsWith(`${data}/`) ? inside.slice(data.length + 1).split("/")[0] : undefined;
    return pair.files.onlyHeavy.has(inside) || (name !== undefined && onlyHeavyDatasets.has(name));
  }

  #remember(code: string, reason: PlaceReason): void {
    this.#failed.set(code, reason);
  }
}

function place(
  result: RunResult,
  { place: where, reasons }: Decision,
  { notices = [], isRetried = false }: { notices?: readonly Notice[]; isRetried?: boolean },
): RunResult {
  return {
    ...result,
    ...describeNotices([...notices, ...listNotices(result)]),
    place: {
      runtime: where === "light" ? "pyodide" : "cpython",
      reason: reasons.map(sayReason).join(", "),
      reasons,
      ...(isRetried && { retried: true }),
    },
  };
}
