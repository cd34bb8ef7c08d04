import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DataProfile } from "@atoll/protocol";
import { answerBuiltIn } from "./answer.ts";
import { compilePlan } from "./code/compile.ts";
import { interpret } from "./interpret/interpret.ts";
import { profileOf } from "./profile.harness.ts";
import { openSessions, type Sessions } from "./session.harness.ts";
import * as tables from "./tables.harness.ts";

const profiles: DataProfile[] = [
  profileOf(tables.transactions()),
  profileOf(tables.employees()),
  profileOf(tables.sensors()),
  profileOf(tables.passengers()),
  profileOf(tables.orders(), tables.customers()),
  profileOf(tables.survey()),
  profileOf(tables.oddNames()),
];

let sessions: Sessions;
beforeAll(async () => {
  sessions = await openSessions();
});
afterAll(() => sessions.close());

describe("odd messages", () => {
  const odd = [
    "",
    " ",
    "\n\n\t",
    "?",
    "???!!!",
    "🚀🚀🚀",
    "👩‍👩‍👧 by 🚀",
    "a",
    "by",
    "by by by by",
    "top",
    "top top top 5 5 5",
    "and",
    "and and?",
    "only",
    "not not not",
    "between and",
    "between 5 and",
    "over",
    "> > >",
    "= = =",
    "0",
    "-1",
    "1e999",
    "99999999999999999999999",
    "top 999999999999 categories",
    "top -5 categories",
    "top 0 categories",
    "'; DROP TABLE df; --",
    '"); import os; os.system("rm -rf /") #',
    "category == 'Groceries' or 1=1",
    'amount contains "\'; import os #"',
    'merchant is "a\\"b\\\\"',
    "merchant contains '''",
    "__import__('os').system('id')",
    "{{7*7}} ${7*7} %s %d",
    "<script>alert(1)</script>",
    "\u0000\u0001\u0002 by category",
    "\ud800 lone surrogate \udfff",
    "‮right to left‬ by city",
    "SELECT category, SUM(amount) FROM df GROUP BY category",
    "df.groupby('category').sum()",
    "spend by category ".repeat(600),
    "x".repeat(10_000),
    "é".repeat(5_000),
    "按".repeat(3_000),
    "1 ".repeat(3_000),
    "between 1 and 2 ".repeat(300),
    "in March 2024 ".repeat(200),
    "Chicago or Boston ".repeat(200),
    "constructor by toString",
    "__proto__ by hasOwnProperty",
    "top 5 constructor",
  ];

  it("never make it throw, and never give code that Python refuses", async () => {
    const codes: string[] = [];
    for (const data of profiles) {
      for (const message of odd) {
        const interpretation = interpret(message, [], data);
        if (interpretation.kind === "plan") codes.push(compilePlan(interpretation.plan));
        const followed = interpret(message, ["total by month", message, "and by city?"], data);
        if (followed.kind === "plan") codes.push(compilePlan(followed.plan));
      }
    }
    expect(codes.length).toBeGreaterThan(50);
    expect(await refused(codes)).toEqual([]);
  });

  it("always get an answer in words", async () => {
    for (const message of odd) {
      let said = "";
      await answerBuiltIn(
        message,
        { history: [], data: profiles[0]! },
        {
          signal: new AbortController().signal,
          status: () => {},
          say: (piece) => {
            said += piece;
          },
          runPython: () =>
            Promise.resolve({
              run: {
                status: "error",
                output: "",
                error: { name: "NameError", value: "name 'df' is not defined", traceback: "" },
              },
              results: [],
            }),
        },
      );
      expect(said.length).toBeGreaterThan(20);
    }
  });
});

describe("random mixtures of words", () => {
  const words =
    "top 5 bottom by per and or not without only average total sum median count how many share of growth trend monthly distribution correlation compare versus over 100 between 10 and 20 missing duplicates outliers describe show rows first last highest lowest in 2024 March last 30 days as a pie chart bar which what is the each most common contains where > < = % 前 按 平均 占比 趋势 和".split(
      " ",
    );

  it("never make it throw, and never give code that Python refuses", async () => {
    const random = tables.seededRandom(42);
    const codes: string[] = [];
    for (let round = 0; round < 700; round += 1) {
      const data = profiles[round % profiles.length]!;
      const names = data.tables.flatMap((table) =>
        table.columns.flatMap((column) => [column.name, ...(column.values ?? []).slice(0, 5)]),
      );
      const pick = (list: readonly string[]): string => list[Math.floor(random() * list.length)] ?? "";
      const message = Array.from({ length: 1 + Math.floor(random() * 9) }, () =>
        random() < 0.4 ? pick(names) : pick(words),
      ).join(" ");
      const interpretation = interpret(
        message,
        random() < 0.3 ? [pick(names), `total by ${pick(names)}`] : [],
        data,
      );
      if (interpretation.kind === "plan") codes.push(compilePlan(interpretation.plan));
    }
    expect(codes.length).toBeGreaterThan(300);
    expect(await refused(codes)).toEqual([]);
  });
});

describe("random but sensible questions", () => {
  it("are understood nearly always, and their code runs", async () => {
    const makers = [tables.transactions, tables.employees, tables.sensors, tables.passengers, tables.orders];
    const random = tables.seededRandom(7);
    let understood = 0;
    let asked = 0;
    const missed: string[] = [];
    for (const make of makers) {
      const session = await sessions.open(make());
      const codes: string[] = [];
      for (let round = 0; round < 60; round += 1) {
        const question = sensible(session.data, random);
        const interpretation = interpret(question, [], session.data);
        asked += 1;
        if (interpretation.kind === "plan" && interpretation.plan.ignored.length === 0) {
          understood += 1;
          codes.push(
            compilePlan({
              ...interpretation.plan,
              chart: round % 6 === 0 ? interpretation.plan.chart : "none",
            }),
          );
        } else missed.push(question);
      }
      const run = await session.sandbox.python.run(tryAll(codes));
      expect(run.status, run.error?.traceback).toBe("ok");
      expect(run.stdout.trim()).toBe("");
    }
    expect({ share: understood / asked, missed }).toMatchObject({
      share: expect.toSatisfy((share: number) => share > 0.95),
    });
  });
});

/** A question that a person might ask of the table. */
function sensible(data: DataProfile, random: () => number): string {
  const columns = data.tables[0]!.columns;
  const one = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const plain = (name: string): string =>
    name
      .replaceAll("_", " ")
      .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
      .toLowerCase();
  const number = plain(
    one(columns.filter((column) => column.kind === "number" && !/id$/i.test(column.name))).name,
  );
  const categories = columns.filter((column) => column.kind === "category");
  const group = plain(one(categories).name);
  const holder = one(categories);
  const value = one(holder.values ?? [""]);
  const count = 1 + Math.floor(random() * 9);
  const shapes = [
    `What is the average ${number} by ${group}?`,
    `top ${count} ${group} by ${number}`,
    `total ${number} for ${value}`,
    `how many rows per ${group}`,
    `which ${group} has the lowest ${number}?`,
    `distribution of ${number}`,
    `show the ${count} rows with the highest ${number}`,
    `median ${number} per ${group} where ${number} is over ${count}`,
    `share of ${group}`,
    `outliers of ${number}`,
    `${number} by ${group} without ${value}`,
    `how many missing values does ${group} have`,
    `max ${number} and min ${number} in ${value}`,
    `bar chart of ${number} by ${group}`,
    ...(columns.some((column) => column.kind === "date")
      ? [
          `monthly ${number}`,
          `${number} over time by ${group}`,
          `weekly ${number} of ${value}`,
          `growth of ${number} per month`,
        ]
      : []),
  ];
  return one(shapes);
}

/** Python that runs each piece of code and prints what failed. */
function tryAll(codes: readonly string[]): string {
  return [
    "import json, traceback, matplotlib.pyplot as plt",
    `for code in json.loads(${JSON.stringify(JSON.stringify(codes))}):`,
    "    try:",
    '        exec(compile(code, "<plan>", "exec"), {**globals()})',
    "    except Exception:",
    "        print(code, traceback.format_exc(limit=1))",
    '    plt.close("all")',
  ].join("\n");
}

/** The pieces of code that do not compile. */
async function refused(codes: readonly string[]): Promise<string[]> {
  const session = await sessions.open(tables.customers());
  const run = await session.sandbox.python.run(
    [
      "import json",
      "bad = []",
      `for code in json.loads(${JSON.stringify(JSON.stringify([...new Set(codes)]))}):`,
      "    try:",
      '        compile(code, "<plan>", "exec")',
      "    except Exception as error:",
      '        bad.append(f"{error!r}: {code[:500]}")',
      "print(json.dumps(bad[:5]))",
    ].join("\n"),
  );
  expect(run.status, run.error?.value).toBe("ok");
  return JSON.parse(run.stdout) as string[];
}
