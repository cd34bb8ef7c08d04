import { AtollError } from "@atoll/sandbox";

/** What playwright throws, as this platform says it. */
export function toAtollError(error: unknown, signal?: AbortSignal): AtollError {
  if (signal?.aborted) return new AtollError("aborted", "the caller gave up", { cause: error });
  if (error instanceof AtollError) return error;
  const text = describeFault(error);
  if (isTimeout(error)) return new AtollError("timeout", text, { cause: error });
  if (hasEnded(error))
    return new AtollError("not_found", "the tab, or the whole browser, has ended meanwhile", {
      cause: error,
    });
  return new AtollError("invalid_argument", text, { cause: error });
}

/** The tab, or the whole browser, was gone before the call was over. */
export function hasEnded(error: unknown): boolean {
  return /has been closed|has been disconnected|Target closed|(Target|Page) crashed/i.test(
    describeFault(error),
  );
}

export function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === "TimeoutError";
}

/** Without colours, the name of the call and the log of it, but for what kept an element from being used. */
export function describeFault(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // oxlint-disable-next-line no-control-regex -- colours of a terminal
  const plain = error.message.replaceAll(/\u001b\[[\d;]*m/g, "");
  const [first = "", log = ""] = plain.split(/\n(?:Call log|=====)/);
  const said = first
    .replace(/^(Error: )?[a-zA-Z]+\.[a-zA-Z]+: /, "")
    .replace(/^Error: /, "")
    .trim()
    .slice(0, 1000);
  const obstacle = log
    .split("\n")
    .find((line) => OBSTACLES.test(line))
    ?.trim()
    .slice(0, 300);
  return obstacle === undefined ? said : `${said} (${obstacle})`;
}

const OBSTACLES =
  /intercepts pointer events|element is not (?:visible|enabled|stable|editable)|outside of the viewport/;
