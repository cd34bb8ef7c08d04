import { RUNTIMES } from "@atoll/sandbox/runtimes";
import { type Command, commands } from "./commands.ts";
import type { Options } from "./options.ts";

/** What `atoll help` prints. */
export function writeUsage(): string {
  const help: Pick<Command, "name" | "synopsis" | "summary"> = { name: "help", summary: "this text" };
  const rows = [...commands, help].map(
    ({ name, synopsis, summary }) => [["atoll", name, synopsis].filter(Boolean).join(" "), summary] as const,
  );
  const sections = commands.flatMap(({ name, options }) =>
    options ? [`Options of ${name}:\n${align(Object.entries(options).map(describeOption))}`] : [],
  );
  return [
    "Atoll: a computer for every AI conversation.",
    align(rows),
    ...sections,
    `Runtimes:\n${align(listRuntimes())}`,
  ].join("\n\n");
}

function describeOption([name, option]: [string, Options[string]]): readonly [string, string] {
  const { short, value, help, fallback } = option;
  return [
    `${short === undefined ? "   " : `-${short},`} --${name}${value === undefined ? "" : ` <${value}>`}`,
    fallback === undefined ? help : `${help} [${fallback}]`,
  ];
}

function listRuntimes(): (readonly [string, string])[] {
  const automatic = RUNTIMES.filter(({ isAutomatic }) => isAutomatic).map(({ name }) => name);
  return [
    ...RUNTIMES.map(({ name, description }) => [name, description] as const),
    ["auto", `the first that can run here: ${automatic.join(", ")}`],
  ];
}

/** Two columns, the second of which begins at the same place in every line. */
function align(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join("\n");
}
