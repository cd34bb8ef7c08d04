import { expect, test } from "vitest";
import { cpythonLimits } from "./cpython-options.ts";

const MiB = 1024 * 1024;

test("without a word the limits are those of the seed, and memory is the sandbox's own matter", () => {
  expect(cpythonLimits({})).toEqual({ fileSizeBytes: 50 * MiB, openFiles: 64 });
  expect(cpythonLimits({ CPYTHON_AS_MB: "0" })).not.toHaveProperty("memoryBytes");
});

test("the environment decides", () => {
  const env = { CPYTHON_FSIZE_MB: "7", CPYTHON_NOFILE: "32", CPYTHON_AS_MB: "512", CPYTHON_TIMEOUT_S: "9" };
  expect(cpythonLimits(env)).toEqual({
    fileSizeBytes: 7 * MiB,
    openFiles: 32,
    memoryBytes: 512 * MiB,
    timeoutMs: 9000,
  });
});

test("fewer open files than a program needs to start are refused by name", () => {
  expect(() => cpythonLimits({ CPYTHON_NOFILE: "8" })).toThrow(
    /CPYTHON_NOFILE must be a whole number from 16 on/,
  );
  expect(() => cpythonLimits({ CPYTHON_FSIZE_MB: "much" })).toThrow(/CPYTHON_FSIZE_MB/);
});
