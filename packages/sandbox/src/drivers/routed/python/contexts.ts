import type { CallOptions } from "../../../contract/call.ts";
import type { Inspection } from "../../../contract/inspection.ts";
import type { Python, PythonContext } from "../../../contract/python.ts";
import type { SandboxHandle } from "../../../contract/sandbox.ts";
import { AtollError } from "../../../errors.ts";
import type { Kernels } from "../variables/kernels.ts";
import type { Pair } from "../pair.ts";

/** A context has a kernel in either sandbox; the heavy one's is made when it is needed. */
export function createContexts(pair: Pair, kernels: Kernels): Omit<Python, "run" | keyof Inspection> {
  const inHeavy = async (work: (handle: SandboxHandle) => Promise<void>) => {
    const heavy = await pair.startedHeavy();
    if (!heavy) return;
    await work(heavy).catch((error: unknown) => {
      // It was never needed there.
      if (!(error instanceof AtollError && error.code === "not_found")) throw error;
    });
  };
  const inBoth = async (context: string, work: (handle: SandboxHandle) => Promise<void>) => {
    await requireContext(pair, context);
    kernels.noteEnd(context);
    if (!pair.hasLightKernel(context)) await work(await pair.heavy());
    else {
      await work(pair.light);
      await inHeavy(work);
    }
    kernels.forget(context);
  };
  return {
    async createContext(options) {
      const home = pair.light.info.capabilities.contexts === false ? await pair.heavy() : pair.light;
      return home.python.createContext(options);
    },
    async contexts(options?: CallOptions): Promise<readonly PythonContext[]> {
      const heavy = await (await pair.startedHeavy())?.python.contexts(options);
      const light = await pair.light.python.contexts(options);
      const others = new Map((heavy ?? []).map((context) => [context.name, context]));
      const both = light.map((context) => {
        const other = others.get(context.name);
        others.delete(context.name);
        const executionCount = context.executionCount + (other?.executionCount ?? 0);
        return { ...context, isBusy: context.isBusy || (other?.isBusy ?? false), executionCount };
      });
      return [...both, ...others.values()];
    },
    restart: (context = "default", options) =>
      inBoth(context, (handle) => handle.python.restart(context, options)),
    removeContext: (context, options) =>
      inBoth(context, (handle) => handle.python.removeContext(context, options)),
    async interrupt(context = "default", options) {
      await requireContext(pair, context);
      if (pair.hasLightKernel(context)) await pair.light.python.interrupt(context, options);
      await inHeavy((handle) => handle.python.interrupt(context, options));
    },
  };
}

/** Throws `not_found` for a context that was not created, or was removed. */
export async function requireContext(pair: Pair, context: string): Promise<void> {
  if (context === "default") return;
  const home = pair.hasLightKernel(context) ? pair.light : await pair.startedHeavy();
  const contexts = (await home?.python.contexts()) ?? [];
  if (!contexts.some(({ name }) => name === context))
    throw new AtollError("not_found", `no kernel context ${JSON.stringify(context)}`);
}
