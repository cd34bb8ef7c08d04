import { readModelText } from "../../model-text.ts";
import { defineChosenRuntime } from "./chosen-runtime.ts";

export const cpythonPython = defineChosenRuntime({
  name: "cpython_python",
  description: readModelText(import.meta.url),
  place: "heavy",
  timeoutVariable: "CPYTHON_TIMEOUT_S",
  timeoutS: 15,
});
