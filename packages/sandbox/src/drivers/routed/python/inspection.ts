import type { Inspection, Variable } from "../../../contract/inspection.ts";
import type { SandboxHandle } from "../../../contract/sandbox.ts";
import { AtollError } from "../../../errors.ts";
import type { Place } from "../../../routing/decision.ts";
import type { Kernels } from "../variables/kernels.ts";
import type { Pair } from "../pair.ts";

/** A look at two kernels as if they were one. None is started for it. */
export function createInspection(pair: Pair, kernels: Kernels): Inspection {
  const present = async (context: string): Promise<[Place, SandboxHandle][]> => {
    const heavy = await pair.startedHeavy();
    const isIn = async (handle: SandboxHandle) =>
      (await handle.python.contexts()).some(({ name }) => name === context);
    return [
      ...(pair.hasLightKernel(context) ? [["light", pair.light] as [Place, SandboxHandle]] : []),
      ...(heavy && (await isIn(heavy)) ? [["heavy", heavy] as [Place, SandboxHandle]] : []),
    ];
  };
  /** The first that has it. */
  const find = async <Result>(
    context: string,
    look: (handle: SandboxHandle) => Promise<Result>,
  ): Promise<Result> => {
    let absence: unknown = new AtollError("not_found", `no kernel context ${JSON.stringify(context)}`);
    for (const [, handle] of await present(context)) {
      try {
        return await look(handle);
      } catch (error) {
        if (!(error instanceof AtollError && error.code === "not_found")) throw error;
        absence = error;
      }
    }
    throw absence;
  };
  return {
    table: (tableId, query = {}) =>
      find(query.context ?? "default", ({ python }) => python.table(tableId, query)),
    tableCsv: (tableId, query = {}) =>
      find(query.context ?? "default", ({ python }) => python.tableCsv(tableId, query)),
    async variables(options = {}) {
      const { context = "default" } = options;
      const { places } = kernels.of(context);
      const found = new Map<string, Variable>();
      let further = 0;
      for (const [place, handle] of await present(context)) {
        const { variables, total } = await handle.python.variables(options);
        further += total - variables.length;
        for (const variable of variables) {
          const isElsewhere = (places.get(variable.name) ?? place) !== place;
          if (!isElsewhere || !found.has(variable.name)) found.set(variable.name, variable);
        }
      }
      return { variables: [...found.values()], total: found.size + further };
    },
    async removeVariable(name, options = {}) {
      const { context = "default" } = options;
      const removed = await Promise.all(
        (await present(context)).map(([, { python }]) => python.removeVariable(name, options)),
      );
      kernels.of(context).places.delete(name);
      return removed.includes(true);
    },
  };
}
