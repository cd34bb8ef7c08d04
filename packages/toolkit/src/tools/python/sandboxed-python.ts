import { readModelText } from "../../model-text.ts";
import { defineChosenRuntime } from "./chosen-runtime.ts";

export const sandboxedPython = defineChosenRuntime({
  name: "sandboxed_python",
  description: readModelText(import.meta.url),
  place: "light",
  timeoutVariable: "SANDBOX_TIMEOUT_S",
  timeoutS: 6,
});
