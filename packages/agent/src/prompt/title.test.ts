import { expect, it } from "vitest";
import { growsTooFast } from "../../../../tests/support/regex/growth.ts";
import { deriveTitle } from "./title.ts";

it.each([
  ["what are the top 5 categories by spend?", "What are the top 5 categories by spend"],
  ["  Show me **monthly** trends.\nAnd then more.", "Show me monthly trends"],
  ["version 2.5 against 3.0", "Version 2.5 against 3.0"],
  ["```py\nprint(1)\n``` why does this fail", "Why does this fail"],
  ["", "New thread"],
  ["哪个类别的支出最多？按月看呢？", "哪个类别的支出最多"],
  ["größe ".repeat(30), "Größe größe größe größe größe größe größe größe größe größe…"],
  ["x".repeat(100), `X${"x".repeat(59)}…`],
])("a title is the first sentence of a question, short: %s", (question, title) => {
  expect(deriveTitle(question)).toBe(title);
});

const pumps = [
  "?",
  " ",
  "? ",
  "a ",
  "A",
  "1,",
  "2024 ",
  "2024-01 ",
  "over 2000 ",
  "march to may ",
  "“",
  "'",
  "呢 ",
  "`",
  "```\n",
  "amount ",
  "and ",
  "last 3 months ",
  "月",
];

it.each(pumps)("a title of a message of many %j is derived in linear time", (pump) => {
  const attack = { prefix: "total amount ", pump, suffix: "\u0000" };
  expect(growsTooFast((text) => deriveTitle(text), attack)).toBe(false);
});
