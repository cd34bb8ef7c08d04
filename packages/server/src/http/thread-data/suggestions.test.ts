import { expect, it, vi } from "vitest";
import { Suggestions } from "./suggestions.ts";

const data = { tables: [], others: [] };

it("a profile's questions are worked out once for each language, also for readers who come at once", async () => {
  const suggest = vi.fn<(data: unknown, language?: string) => Promise<string[]>>(async (_, language) => [
    `in ${language}`,
  ]);
  const suggestions = new Suggestions(suggest);
  const asked = [suggestions.of("t1 4", data, "en"), suggestions.of("t1 4", data, "en")];
  expect(await Promise.all(asked)).toEqual([["in en"], ["in en"]]);
  expect(await suggestions.of("t1 4", data, "zh")).toEqual(["in zh"]);
  expect(await suggestions.of("t1 5", data, "en")).toEqual(["in en"]);
  expect(suggest).toHaveBeenCalledTimes(3);
});

it("questions that cannot be worked out are left out", async () => {
  const suggestions = new Suggestions(() => Promise.reject(new Error("too long")));
  expect(await suggestions.of("t1 4", data, undefined)).toEqual([]);
});
