import { makeNotice, type Notice } from "@atoll/protocol";
import type { RunResult } from "../../../contract/python.ts";
import type { LostVariable, SandboxHandle } from "../../../contract/sandbox.ts";
import type { CodeAnalysis } from "../../../routing/analysis.ts";
import { type Place, placeNames } from "../../../routing/decision.ts";
import {
  bringVariables,
  dropVariables,
  listVariables,
  type SavedVariables,
  saveVariables,
} from "./transfer-variables.ts";
import type { Pair } from "../pair.ts";
import { Variables } from "./variables.ts";

/** The variables of two kernels as one, for every context. */
export class Kernels {
  readonly #pair: Pair;
  readonly #contexts = new Map<string, Variables>();
  /** How often the user has ended a context's kernels, by a restart or a removal. */
  readonly #endings = new Map<string, number>();
  /** The heavy kernels were there before this handle. */
  readonly #isJoined: boolean;

  constructor(pair: Pair, isJoined: boolean) {
    this.#pair = pair;
    this.#isJoined = isJoined;
  }

  of(context: string): Variables {
    const known = this.#contexts.get(context) ?? new Variables();
    if (!this.#contexts.has(context) && this.#isJoined) known.unlisted.add("heavy");
    this.#contexts.set(context, known);
    return known;
  }

  /** Called before the kernels end: a run that is cut off by it is not to be run again. */
  noteEnd(context: string): void {
    this.#endings.set(context, this.endings(context) + 1);
  }

  endings(context: string): number {
    return this.#endings.get(context) ?? 0;
  }

  forget(context: string): void {
    this.#contexts.set(context, new Variables());
  }

  /**
   * Gives the heavy kernel what lives in the light one. `saved`: as it was then, instead of now. `isCopy`: they go on
   * living in the light one. Returns what could not be brought.
   */
  async toHeavy(
    context: string,
    {
      saved,
      isCopy = false,
      maxBytes,
      signal,
    }: { saved?: SavedVariables; isCopy?: boolean; maxBytes?: number; signal?: AbortSignal } = {},
  ): Promise<readonly LostVariable[]> {
    const variables = this.of(context);
    if (variables.unlisted.has("light")) await this.ask("light", context);
    const names = variables.in("light");
    if (names.length === 0 && variables.gone.size === 0) return [];
    const { light } = this.#pair;
    const heavy = await this.#pair.heavy();
    const given = saved ?? (await saveVariables(light, "moved", { context, only: names, maxBytes, signal }));
    const brought = await bringVariables(light, heavy, given, {
      context,
      forget: [...variables.gone],
      signal,
    });
    variables.gone.clear();
    if (isCopy) return brought.lost;
    variables.moved(brought.names, "heavy");
    if (saved) {
      // What the light kernel has now is half of a run's work.
      await light.python.restart(context);
      variables.clear("light");
    } else await dropVariables(light, context, brought.names);
    return brought.lost;
  }

  /** Gives the light kernel some of what lives in the heavy one. */
  async toLight(
    context: string,
    names: readonly string[],
    signal?: AbortSignal,
  ): Promise<readonly LostVariable[]> {
    if (names.length === 0) return [];
    const heavy = await this.#pair.heavy();
    const given = await saveVariables(heavy, "moved", { context, only: names, signal });
    const brought = await bringVariables(heavy, this.#pair.light, given, { context, signal });
    const variables = this.of(context);
    variables.moved(brought.names, "light");
    variables.isSaved = false;
    return brought.lost;
  }

  /** After a run: what it has bound, as far as that can be seen; else the kernel is asked. */
  async noteRun(place: Place, context: string, analysis: CodeAnalysis, result: RunResult): Promise<void> {
    const variables = this.of(context);
    if (result.kernelRestarted) variables.clear(place);
    const isDone = result.status === "ok" && !analysis.bindsUnknown;
    if (isDone || (place === "heavy" && !analysis.bindsUnknown)) variables.note(place, analysis);
    else if (analysis.binds.size > 0 || analysis.bindsUnknown) await this.ask(place, context);
    variables.last = place;
  }

  /** Which variables a kernel has. Where it cannot say, it is asked again later. */
  async ask(place: Place, context: string): Promise<void> {
    const handle = await this.#handle(place);
    if (!handle) return;
    const names = await listVariables(handle, context);
    if (names) this.of(context).list(place, names);
    else this.of(context).unlisted.add(place);
  }

  async #handle(place: Place): Promise<SandboxHandle | undefined> {
    return place === "light" ? this.#pair.light : this.#pair.startedHeavy();
  }
}

/** Of what could not be brought, those that the code needs. */
export function noteLost(
  lost: readonly LostVariable[],
  { reads, readsUnknown }: CodeAnalysis,
  to: Place,
): Notice[] {
  return lost
    .filter(({ name }) => readsUnknown || reads.has(name))
    .map(({ name, type, reason }) =>
      makeNotice("variable_left_behind", { name, type, runtime: placeNames[to], reason }),
    );
}
