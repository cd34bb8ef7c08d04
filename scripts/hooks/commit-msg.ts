// The commit-msg hook: `type(scope): summary`, as Conventional Commits have it. git passes the message's file.
import { readFileSync } from "node:fs";

const TYPES = ["build", "chore", "ci", "docs", "feat", "fix", "perf", "refactor", "revert", "style", "test"];
const MAX_CHARS = 72;
/** What git writes itself; the last two are gone after the rebase that they are for. */
const BY_GIT = /^(Merge |Revert "|fixup! |squash! |amend! )/;

if (import.meta.main) {
  const faults = findMessageFaults(readFileSync(process.argv[2] ?? "", "utf8"));
  for (const fault of faults) console.error(`commit-msg: ${fault}`);
  process.exitCode = faults.length > 0 ? 1 : 0;
}

/** One sentence for each fault of a message, as it stands in the file with git's comments. */
export function findMessageFaults(file: string): string[] {
  const [text = ""] = file.split(/^# -+ >8 -+$/m);
  const lines = text.split(/\r?\n/).filter((line) => !line.startsWith("#"));
  const [subject = "", second = ""] = lines.slice(lines.findIndex((line) => line.trim() !== ""));
  // Without a message git ends the commit by itself.
  if (subject.trim() === "" || BY_GIT.test(subject)) return [];
  const [, type] = /^([a-z]+)(?:\([a-z0-9./-]+\))?!?: \S/.exec(subject) ?? [];
  const faults: string[] = [];
  if (type === undefined)
    faults.push('the first line must read "type(scope): summary", e.g. fix(server): close idle streams');
  else if (!TYPES.includes(type)) faults.push(`"${type}" is none of the types ${TYPES.join(", ")}`);
  if ([...subject].length > MAX_CHARS)
    faults.push(`the first line has ${[...subject].length} characters; the most is ${MAX_CHARS}`);
  if (subject.trimEnd().endsWith(".")) faults.push("the first line ends without a full stop");
  if (second.trim() !== "") faults.push("the second line must be empty");
  return faults;
}
