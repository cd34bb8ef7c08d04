import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { DataProfile } from "@atoll/protocol";
import { suggestQuestions } from "../suggest.ts";
import { profileOf, summarize } from "../profile.harness.ts";
import {
  customers,
  employees,
  oddNames,
  orders,
  passengers,
  sensors,
  survey,
  transactions,
} from "../tables.harness.ts";
import { interpret, type Interpretation } from "./interpret.ts";

const tables = { transactions, employees, sensors, passengers, orders, customers, survey, oddNames };

interface Case {
  readonly question: string;
  readonly earlier: readonly string[];
  readonly plan: string;
}

/** `# tables` begins a section, `question => plan` is a case, and `+question` follows the ones above it. */
function readCases(file: string): { name: string; data: DataProfile; cases: Case[] }[] {
  const sections: { name: string; data: DataProfile; cases: Case[] }[] = [];
  let earlier: string[] = [];
  for (const line of readFileSync(new URL(`./cases/${file}`, import.meta.url), "utf8").split("\n")) {
    if (line.startsWith("# ")) {
      const names = line.slice(2).split(",") as (keyof typeof tables)[];
      sections.push({
        name: names.join(" and "),
        data: profileOf(...names.map((name) => tables[name]())),
        cases: [],
      });
      continue;
    }
    const at = line.indexOf(" => ");
    if (at < 0) continue;
    const isFollowUp = line.startsWith("+");
    const question = line.slice(isFollowUp ? 1 : 0, at);
    if (!isFollowUp) earlier = [];
    sections.at(-1)?.cases.push({ question, earlier: [...earlier], plan: line.slice(at + 4).trim() });
    earlier.push(question);
  }
  return sections;
}

function describeIt(interpretation: Interpretation): string {
  if (interpretation.kind === "plan") return summarize(interpretation.plan);
  if (interpretation.kind === "topic") return `topic ${interpretation.topic}`;
  return `no ${interpretation.reason} ${interpretation.words.join(",")}`.trim();
}

const sections = [...readCases("transactions.txt"), ...readCases("others.txt")];

describe.each(sections)("questions about $name", ({ data, cases }) => {
  it.each(cases)("$question", ({ question, earlier, plan }) => {
    expect(describeIt(interpret(question, earlier, data))).toBe(plan);
  });
});

describe("the analyst", () => {
  it("knows more than 150 questions here", () => {
    expect(sections.flatMap(({ cases }) => cases).length).toBeGreaterThan(300);
  });

  it("answers in the language of the question", () => {
    const data = profileOf(tables.survey());
    const languages = ["各城市的平均月收入", "average 月收入 by 城市", "月收入 城市"].map((question) => {
      const interpretation = interpret(question, [], data);
      return interpretation.kind === "plan" ? interpretation.plan.language : interpretation.language;
    });
    expect(languages).toEqual(["zh", "en", "zh"]);
  });

  it("does not count from today but from the last day of the data", () => {
    const data = profileOf(tables.survey());
    expect(describeIt(interpret("消费总额 最近7天", [], data))).toContain("2024-12-22..2024-12-29");
  });

  it("understands every question it suggests, without leaving out a word", () => {
    for (const make of [
      tables.transactions,
      tables.employees,
      tables.sensors,
      tables.passengers,
      tables.orders,
      tables.survey,
      tables.oddNames,
    ]) {
      const data = profileOf(make());
      const questions = suggestQuestions(data);
      expect(questions.length).toBeGreaterThanOrEqual(4);
      for (const question of questions) {
        const interpretation = interpret(question, [], data);
        expect(interpretation.kind === "plan" ? interpretation.plan.ignored : question).toEqual([]);
      }
    }
  });

  it("suggests nothing where there is no table", () => {
    expect(suggestQuestions({ tables: [], others: [] })).toEqual([]);
  });
});
