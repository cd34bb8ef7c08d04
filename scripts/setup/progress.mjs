import { relative } from "node:path";

const TICK_MS = 5_000;
/** After these, only every sixth tick is told. */
const FREQUENT_TICKS = 12;

/**
 * Says what set-up does: one line a step, and on a long step a line now and then. Everything goes to
 * stderr as whole lines, so it reads the same on a terminal and in a log, and stdout stays the program's.
 * @typedef {ReturnType<typeof createProgress>} Progress
 * @param {{ write?: (line: string) => void, tickMs?: number }} [options]
 */
export function createProgress({
  write = (line) => process.stderr.write(`${line}\n`),
  tickMs = TICK_MS,
} = {}) {
  const startedAt = Date.now();
  let didWork = false;

  /** @param {string} part @param {string} text */
  const say = (part, text) => write(`[set-up] ${part}: ${text}`);

  return {
    /** A line about something that was done or decided. @param {string} part @param {string} text */
    note(part, text) {
      didWork = true;
      say(part, text);
    },

    /** A line about something that is missing; it does not count as work. @param {string} part @param {string} text */
    warn: say,

    /**
     * Runs one long step: announces it, reports its counter and its seconds while it lasts, and how it
     * ended. A step that may fail without stopping set-up returns the reason as `failure`.
     * @template {{ failure?: string | undefined } | void} T
     * @param {string} part
     * @param {string} text
     * @param {(report: (counter: string) => void) => Promise<T>} work
     * @returns {Promise<T>}
     */
    async step(part, text, work) {
      didWork = true;
      say(part, `${text} …`);
      const stepStartedAt = Date.now();
      let counter = "";
      let ticks = 0;
      const ticker = setInterval(() => {
        if (++ticks > FREQUENT_TICKS && ticks % 6 !== 0) return;
        say(part, `${counter || "working"} (${formatSeconds(Date.now() - stepStartedAt)})`);
      }, tickMs);
      try {
        const result = await work((text) => (counter = text));
        const seconds = formatSeconds(Date.now() - stepStartedAt);
        say(part, result?.failure ? `${result.failure} (after ${seconds})` : `done in ${seconds}`);
        return result;
      } finally {
        clearInterval(ticker);
      }
    },

    /** The closing line; nothing when nothing was done. */
    finish() {
      if (didWork) say("ready", `in ${formatSeconds(Date.now() - startedAt)}`);
    },
  };
}

/** @param {number} ms */
function formatSeconds(ms) {
  return ms < 10_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 1000)} s`;
}

/** A path as a reader wants it: under the home folder with `~`. @param {string} path */
export function formatPath(path) {
  const home = process.env["HOME"];
  if (!home || home === "/") return path;
  const inHome = relative(home, path);
  return inHome.startsWith("..") ? path : `~/${inHome}`;
}
