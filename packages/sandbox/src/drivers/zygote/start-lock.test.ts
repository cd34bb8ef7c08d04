import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { withStartLock } from "./start-lock.ts";

describe("the start lock", () => {
  it("lets one at a time work, and everyone in the end", async () => {
    const name = randomUUID();
    let working = 0;
    let most = 0;
    const work = async (n: number) => {
      most = Math.max(most, ++working);
      await new Promise((resolve) => setImmediate(resolve));
      working--;
      return n;
    };
    const all = await Promise.all([1, 2, 3, 4, 5, 6].map((n) => withStartLock(name, () => work(n))));
    expect(all).toEqual([1, 2, 3, 4, 5, 6]);
    expect(most).toBe(1);
  });

  it("is free again after work that failed", async () => {
    const name = randomUUID();
    const failing = withStartLock(name, () => Promise.reject(new Error("no")));
    await expect(failing).rejects.toThrow("no");
    expect(await withStartLock(name, async () => "yes")).toBe("yes");
  });
});
