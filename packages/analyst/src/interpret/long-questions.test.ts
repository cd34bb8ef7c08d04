import { expect, it } from "vitest";
import { growsTooFast } from "../../../../tests/support/regex/growth.ts";
import { profileOf } from "../profile.harness.ts";
import { transactions } from "../tables.harness.ts";
import { interpret } from "./interpret.ts";
import { findTopic } from "./topics.ts";

const data = profileOf(transactions());
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

it.each(pumps)("a message of many %j is read in linear time", (pump) => {
  const attack = { prefix: "total amount ", pump, suffix: "\u0000" };
  expect(growsTooFast((text) => findTopic(text, []), attack)).toBe(false);
  expect(growsTooFast((text) => interpret(text, [text, text], data), attack)).toBe(false);
});
