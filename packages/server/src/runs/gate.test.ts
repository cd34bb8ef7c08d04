import { expect, test } from "vitest";
import { Gate } from "./gate.ts";

test("a gate lets so many work at once, the others in their order, and one that is hurried before them", async () => {
  const gate = new Gate(2);
  const began: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (key: string) =>
    gate.pass(key, () => {
      began.push(key);
      return new Promise<void>((resolve) => ends.set(key, resolve));
    });
  const all = ["a", "b", "c", "d", "e"].map(work);
  expect(began).toEqual(["a", "b"]);
  gate.hurry("e");
  for (const key of ["b", "a", "e", "c", "d"]) {
    await expect.poll(() => ends.has(key)).toBe(true);
    ends.get(key)?.();
  }
  await Promise.all(all);
  expect(began).toEqual(["a", "b", "e", "c", "d"]);
});

test("a gate is free again after work that failed", async () => {
  const gate = new Gate(1);
  await expect(gate.pass("a", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await gate.pass("b", async () => "yes")).toBe("yes");
});
