import { expect, it } from "vitest";
import { decideSuite, describeIf } from "./requirements.ts";

const docker = { suite: "docker", missing: "no Docker engine answers" };

it("a suite runs where nothing is missing", () => {
  expect(decideSuite({ suite: "docker", missing: undefined, isRequired: true }, true)).toBe("run");
});

it("a person's machine skips what it cannot run", () => {
  expect(decideSuite({ ...docker, isRequired: true }, false)).toBe("skip");
});

it("CI skips what is optional and fails on what is required", () => {
  expect(decideSuite(docker, true)).toBe("skip");
  expect(decideSuite({ ...docker, isRequired: true }, true)).toBe("fail");
});

describeIf({ suite: "a suite without missing parts", missing: undefined }, () => {
  it("is defined as usual", () => {
    expect(true).toBe(true);
  });
});
