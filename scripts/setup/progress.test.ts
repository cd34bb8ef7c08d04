import { expect, test } from "vitest";
import { createProgress } from "./progress.mjs";

test("a long step says what it does, how far it is, and how long it took", async () => {
  const lines: string[] = [];
  const ticked = Promise.withResolvers<void>();
  const progress = createProgress({
    tickMs: 1,
    write(line) {
      lines.push(line);
      if (line.includes("3 of 9")) ticked.resolve();
    },
  });
  await progress.step("npm packages", "installing", async (report) => {
    report("3 of 9");
    await ticked.promise;
  });
  progress.finish();
  expect(lines[0]).toBe("[set-up] npm packages: installing …");
  expect(lines.at(-2)).toMatch(/^\[set-up\] npm packages: done in \d+\.\d s$/);
  expect(lines.at(-1)).toMatch(/^\[set-up\] ready: in \d+\.\d s$/);
});

test("a step that fails softly says why", async () => {
  const lines: string[] = [];
  const progress = createProgress({ write: (line) => lines.push(line) });
  await progress.step("python", "installing", async () => ({ failure: "no network" }));
  expect(lines.at(-1)).toMatch(/^\[set-up\] python: no network \(after /);
});

test("where nothing was done, nothing is said at the end", () => {
  const lines: string[] = [];
  createProgress({ write: (line) => lines.push(line) }).finish();
  expect(lines).toEqual([]);
});
