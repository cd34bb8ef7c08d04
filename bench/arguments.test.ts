import { describe, expect, it } from "vitest";
import { parseArguments } from "./arguments.ts";

const names = ["tti", "hot", "alive"];

describe("the bench's arguments", () => {
  it("default to every measure in full, for people", () => {
    expect(parseArguments([], names)).toEqual({ isJson: false, isQuick: false, only: names, alive: 1000 });
  });
  it("--quick keeps fewer sandboxes alive, unless --alive says how many", () => {
    expect(parseArguments(["--quick"], names)).toMatchObject({ isQuick: true, alive: 50 });
    expect(parseArguments(["--quick", "--alive", "200"], names)).toMatchObject({ isQuick: true, alive: 200 });
  });
  it("--only takes names by comma or one at a time", () => {
    expect(parseArguments(["--only", "hot,tti", "--json"], names)).toMatchObject({
      only: ["hot", "tti"],
      isJson: true,
    });
    expect(parseArguments(["--only=hot", "--only", "alive"], names).only).toEqual(["hot", "alive"]);
  });
  it("an unknown measure is refused with the names there are", () => {
    expect(() => parseArguments(["--only", "hot,cold"], names)).toThrow(/cold.*tti, hot, alive/);
  });
  it.each(["0", "-1", "1.5", "many"])("--alive %s is refused", (count) => {
    expect(() => parseArguments([`--alive=${count}`], names)).toThrow("--alive");
  });
  it("an unknown option is refused", () => {
    expect(() => parseArguments(["--fast"], names)).toThrow("--fast");
  });
});
