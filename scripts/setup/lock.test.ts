import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { expect, test } from "vitest";
import { withLock } from "./lock.mjs";

test("work under one lock never overlaps, and all of it is done", async () => {
  const name = randomUUID();
  let running = 0;
  let most = 0;
  const work = async () => {
    most = Math.max(most, ++running);
    await new Promise((resolve) => setImmediate(resolve));
    running--;
  };
  await Promise.all(Array.from({ length: 5 }, () => withLock(name, work)));
  expect(most).toBe(1);
});

test("a failure in the work lets the lock go", async () => {
  const name = randomUUID();
  await expect(withLock(name, () => Promise.reject(new Error("disk full")))).rejects.toThrow("disk full");
  expect(await withLock(name, async () => "next")).toBe("next");
});

test("a holder that is killed lets the lock go", async () => {
  const name = randomUUID();
  const script = `import { withLock } from ${JSON.stringify(import.meta.resolve("./lock.mjs"))};
    await withLock(${JSON.stringify(name)}, () => new Promise(() => { console.log("held"); setInterval(() => {}, 1e6); }));`;
  const holder = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(holder.stdout, "data");
  let waits = 0;
  const result = await withLock(
    name,
    async () => "mine",
    () => {
      waits++;
      holder.kill("SIGKILL");
    },
  );
  expect(result).toBe("mine");
  expect(waits).toBe(1);
});
