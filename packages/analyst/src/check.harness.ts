import type { Session } from "./session.harness.ts";
import { money, type Row } from "./sums.harness.ts";

/** Questions, the last of which is answered, and what must stand in the answer. */
export type Expectation = readonly [
  questions: readonly string[],
  fragments: () => readonly string[],
  /** Whether a chart is drawn; not looked at when left out. */
  chart?: boolean,
];

/** For the name of a test. */
export function nameOf([questions]: Expectation): string {
  return questions.join(" → ");
}

/** Asks and says what is wrong with the answer. */
export async function findFaults(
  session: Session,
  [questions, fragments, chart]: Expectation,
): Promise<string[]> {
  const answer = await session.ask(questions, { isDrawn: chart === true });
  if (answer.status !== "ok") return [`the run ended with ${answer.status}: ${answer.code}`];
  const missing = fragments().filter((fragment) => !nearly(fragment).test(answer.text));
  const faults = missing.map((fragment) => `“${fragment}” is not in: ${answer.text}`);
  if (chart !== undefined && answer.charts !== (chart ? 1 : 0)) faults.push(`${answer.charts} charts`);
  if (/NaN|undefined|\[object/.test(answer.text)) faults.push(`a bare value in: ${answer.text}`);
  return faults;
}

/** The fragment, or it with a cent more or less: a half can be rounded either way. */
function nearly(fragment: string): RegExp {
  const match = /[\d,]+\.\d\d(?!\d|%)/.exec(fragment);
  if (match === null) return new RegExp(RegExp.escape(fragment), "u");
  const value = Number(match[0].replaceAll(",", ""));
  const others = [value - 0.01, value + 0.01].map((other) => fragment.replace(match[0], money(other)));
  return new RegExp([fragment, ...others].map((each) => RegExp.escape(each)).join("|"), "u");
}

export const text = (name: string) => (row: Row) => String(row[name]);
export const is = (name: string, value: unknown) => (row: Row) => row[name] === value;
export const lines = (
  groups: readonly (readonly [string, number])[],
  count: number,
  write: (value: number) => string,
) => groups.slice(0, count).map(([name, value], row) => `${row + 1}. ${name}: ${write(value)}`);
