import { z } from "zod";
import { defineTool } from "../../define-tool.ts";
import type { Tool } from "../../tool.ts";
import { runReported } from "./reported-run.ts";
import { listImages } from "./run-text.ts";
import { structureRun } from "./structured-run.ts";

const input = z.strictObject({ code: z.string().min(1).describe("Python code, as in a notebook cell") });

export const sandboxedPython = defineChosenPython({
  name: "sandboxed_python",
  place: "light",
  timeoutVariable: "SANDBOX_TIMEOUT_S",
  defaultTimeoutS: 6,
});

export const cpythonPython = defineChosenPython({
  name: "cpython_python",
  place: "heavy",
  timeoutVariable: "CPYTHON_TIMEOUT_S",
  defaultTimeoutS: 15,
});

/** A tool with which the model chooses the interpreter. A sandbox with only one kernel runs the code in that. */
function defineChosenPython(options: {
  readonly name: string;
  readonly place: "light" | "heavy";
  readonly timeoutVariable: string;
  readonly defaultTimeoutS: number;
}): Tool<z.infer<typeof input>> {
  const { name, place, timeoutVariable, defaultTimeoutS } = options;
  return defineTool(import.meta.url, {
    name,
    input,
    isReadOnly: false,
    async run({ code }, context) {
      const timeoutS = Number(process.env[timeoutVariable]) || defaultTimeoutS;
      const run = await runReported(code, { place, timeoutMs: timeoutS * 1000 }, context);
      const data = structureRun(run, code);
      const images = listImages(run);
      return {
        text: JSON.stringify(data),
        isError: data.status === "error" || data.status === "timeout",
        data,
        ...(images.length > 0 ? { images } : {}),
      };
    },
  });
}
