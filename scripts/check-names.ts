// Checks the words in file names: `node scripts/check-names.ts`, a part of `npm test`. A stranger greps for the field's
// own word, so each concept has one word, which the glossary of ARCHITECTURE.md explains.
import { execFileSync } from "node:child_process";
import { resolve } from "node:path";

/** Words that no file or folder may be named by, with the word to use. */
const FORBIDDEN: Readonly<Record<string, string>> = {
  alarms: "idle-timers",
  allowance: "quota",
  arrivals: "wake",
  common: "what it is about",
  departures: "suspend",
  desk: "panels",
  grip: "run-slot",
  hands: "context",
  helper: "what it does",
  helpers: "what they do",
  holdings: "leases",
  journey: "traffic-record",
  lane: "queue",
  lives: "ttl",
  manager: "what it does",
  obstacles: "readiness",
  readings: "views",
  rehearsal: "warmup",
  relief: "capacity",
  residents: "live sandboxes",
  resting: "suspend",
  room: "quota",
  seat: "run-slot",
  surroundings: "context or facts",
  turnstile: "mutex",
  utils: "what they do",
  voice: "events",
};

if (import.meta.main) {
  const root = resolve(import.meta.dirname, "..");
  const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
  });
  const faults = findForbiddenNames(files.split("\n"));
  for (const fault of faults) console.error(fault);
  process.exitCode = faults.length > 0 ? 1 : 0;
}

/** One sentence for each path with a forbidden word. */
export function findForbiddenNames(paths: readonly string[], forbidden = FORBIDDEN): string[] {
  return paths.flatMap((path) => {
    const words = path.split(/[/._-]/);
    const found = words.find((word) => Object.hasOwn(forbidden, word));
    return found === undefined
      ? []
      : [`${path}: "${found}" is not a word of the field; use ${forbidden[found]}`];
  });
}
