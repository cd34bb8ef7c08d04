import { describe, expect, it } from "vitest";
import { findForbiddenNames } from "./check-names.ts";

describe("findForbiddenNames", () => {
  const forbidden = { lane: "queue" };

  it("names the path, the word and its replacement", () => {
    expect(findForbiddenNames(["src/runs/thread-lane.test.ts"], forbidden)).toEqual([
      'src/runs/thread-lane.test.ts: "lane" is not a word of the field; use queue',
    ]);
  });

  it("looks at folders too", () => {
    expect(findForbiddenNames(["src/lane/index.ts"], forbidden)).toHaveLength(1);
  });

  it("accepts a word that only contains a forbidden one", () => {
    expect(findForbiddenNames(["src/planes.ts", "src/constructor.ts"], forbidden)).toEqual([]);
  });
});
