import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { withStartLock } from "./start-lock.ts";

describe("the start lock", () => {
  let folder = "";
  let count = 0;
  const newPath = () => join(folder, `${++count}.lock`);
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "atoll-start-lock-"));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it("lets one at a time work, and everyone in the end", async () => {
    const path = newPath();
    let working = 0;
    let most = 0;
    const work = async (n: number) => {
      most = Math.max(most, ++working);
      await new Promise((resolve) => setImmediate(resolve));
      working--;
      return n;
    };
    const all = await Promise.all([1, 2, 3, 4, 5, 6].map((n) => withStartLock(path, () => work(n))));
    expect(all).toEqual([1, 2, 3, 4, 5, 6]);
    expect(most).toBe(1);
  });

  it("is free again after work that failed", async () => {
    const path = newPath();
    const failing = withStartLock(path, () => Promise.reject(new Error("no")));
    await expect(failing).rejects.toThrow("no");
    expect(await withStartLock(path, async () => "yes")).toBe("yes");
  });

  it("is free again when its holder is killed", async () => {
    const path = newPath();
    const module = JSON.stringify(new URL("start-lock.ts", import.meta.url).href);
    const code = `const { withStartLock } = await import(${module});
      setInterval(() => {}, 1000);
      await withStartLock(${JSON.stringify(path)}, () => { console.log("held"); return new Promise(() => {}); });`;
    const args = ["--no-warnings", "--input-type=module", "-e", code];
    const holder = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    onTestFinished(() => void holder.kill("SIGKILL"));
    await once(holder.stdout, "data");
    let isMine = false;
    const mine = withStartLock(path, async () => (isMine = true));
    expect(isMine).toBe(false);
    holder.kill("SIGKILL");
    expect(await mine).toBe(true);
  });

  it("is not lost to another process when this one asks for it again", async () => {
    const path = newPath();
    const held = Promise.withResolvers<void>();
    const first = withStartLock(path, () => held.promise);
    const second = withStartLock(path, async () => {});
    const module = JSON.stringify(new URL("start-lock.ts", import.meta.url).href);
    const code = `const { withStartLock } = await import(${module});
      let isMine = false;
      void withStartLock(${JSON.stringify(path)}, async () => { isMine = true; });
      console.log(isMine ? "free" : "held");
      process.exit();`;
    const args = ["--no-warnings", "--input-type=module", "-e", code];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    held.resolve();
    await Promise.all([first, second]);
    expect(stdout.trim()).toBe("held");
  });

  it("cannot be taken by another user of the machine, who may bind every abstract socket", async () => {
    const path = newPath();
    const stranger = createServer();
    onTestFinished(() => void stranger.close());
    stranger.listen(`\0atoll-${process.getuid?.() ?? 0}-${path}`);
    await once(stranger, "listening");
    expect(await withStartLock(path, async () => "mine")).toBe("mine");
  });
});
