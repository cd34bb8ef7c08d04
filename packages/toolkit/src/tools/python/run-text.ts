import type { RunOutput, RunPlace, RunResult } from "@atoll/sandbox";
import type { ToolFile } from "../../tool.ts";

/** More pictures, or larger ones, than a model can make use of in one answer. */
const MAX_IMAGES = 8;
const MAX_IMAGE_CHARS = 8_000_000;

/** What a run printed and showed, as text. */
export function renderRun(run: RunResult): string {
  return [run.stdout, run.stderr, ...run.results.map(renderResult), run.error?.traceback ?? ""]
    .map((part) => part.trimEnd())
    .filter((part) => part !== "")
    .join("\n");
}

/** What a reader of the output would miss: limits that were hit, files that were made. */
export function listNotes(run: RunResult): string[] {
  const files = run.artifacts.map((artifact) => `${artifact.path} (${artifact.sizeBytes} bytes)`);
  const notes = [
    ...run.notices,
    ...(files.length > 0 ? [`Files made or changed: ${files.join(", ")}`] : []),
    ...(run.place ? [describePlace(run.place)] : []),
  ];
  return notes.map((note) => `[${note}]`);
}

/** `retried`: the reason is why it did not stay where it began. */
function describePlace({ runtime, reason, retried }: RunPlace): string {
  const name = runtime === "pyodide" ? "Pyodide" : "CPython";
  return retried ? `Ran in ${name}` : `Ran in ${name}: the code ${reason}`;
}

/** The figures that a run has shown. */
export function listImages(run: RunResult): ToolFile[] {
  return run.results
    .flatMap(({ png, jpeg }, index) => {
      if (png !== undefined) return [{ name: `figure-${index + 1}.png`, mime: "image/png", base64: png }];
      return jpeg === undefined
        ? []
        : [{ name: `figure-${index + 1}.jpg`, mime: "image/jpeg", base64: jpeg }];
    })
    .filter(({ base64 }) => base64.length <= MAX_IMAGE_CHARS)
    .slice(0, MAX_IMAGES);
}

function renderResult(result: RunOutput): string {
  if (result.png ?? result.jpeg ?? result.svg) return "[A figure was shown to the user.]";
  if (result.text !== undefined) return result.text;
  if (result.markdown !== undefined) return result.markdown;
  if (result.latex !== undefined) return result.latex;
  if (result.json !== undefined) return JSON.stringify(result.json);
  return result.html === undefined ? "" : "[An HTML view was shown to the user.]";
}
