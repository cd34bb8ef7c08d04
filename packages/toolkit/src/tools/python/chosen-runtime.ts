import { z } from "zod";
import type { Tool } from "../../tool.ts";
import { listImages } from "./run-text.ts";
import { runReported } from "./reported-run.ts";
import { structureRun } from "./structured-run.ts";

const input = z.strictObject({ code: z.string().min(1).describe("Python code, as in a notebook cell") });

export interface ChosenRuntime {
  readonly name: string;
  readonly description: string;
  readonly place: "light" | "heavy";
  /** The environment variable with its time-out in seconds. */
  readonly timeoutVariable: string;
  readonly timeoutS: number;
}

/** A tool by which a model says itself where its code runs. In a sandbox with one kernel it runs in that. */
export function defineChosenRuntime(options: ChosenRuntime): Tool<z.infer<typeof input>> {
  const { name, description, place, timeoutVariable, timeoutS } = options;
  return {
    name,
    description,
    input,
    isReadOnly: false,
    async run({ code }, context) {
      const seconds = Number(process.env[timeoutVariable]) || timeoutS;
      const run = await runReported(code, { place, timeoutMs: seconds * 1000 }, context);
      const data = structureRun(run, code);
      const images = listImages(run);
      return {
        text: JSON.stringify(data),
        isError: data.status === "error" || data.status === "timeout",
        data,
        ...(images.length > 0 ? { images } : {}),
      };
    },
  };
}
