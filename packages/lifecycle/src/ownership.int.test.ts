import { chown, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { AtollError, Sandbox } from "@atoll/sandbox";
import { expect, it } from "vitest";
import { describeSandboxes, evaluate } from "../../../tests/support/lifecycle/sandbox-suite.ts";

await describeSandboxes("ownership", ({ dataDir, open }) => {
  const ownedWith = (fence: number) => ({ acquireLease: async () => ({ fence, sinceMs: Date.now() }) });
  const refusing = {
    acquireLease: async () => {
      throw new AtollError("not_owner", "another server has it");
    },
  };

  it("a sandbox moves to its next owner with all variables, and the previous owner is cut off", async () => {
    const first = open(ownedWith(1)).sandboxes;
    const before = await first.wake("cl-moving", {});
    await before.sandbox.python.run("x = 42");
    const second = open(ownedWith(2)).sandboxes;
    const after = await second.wake("cl-moving", {});
    expect([after.from, await evaluate(after.sandbox, "x")]).toEqual(["hot", "42"]);
    // Its connection is closed, and it cannot attach again.
    await expect(before.sandbox.python.run("x = 0")).rejects.toMatchObject({ code: "sandbox_dead" });
    await expect(before.sandbox.python.run("x = 0")).rejects.toMatchObject({ code: "not_owner" });
    expect(await evaluate(after.sandbox, "x")).toBe("42");
  });

  it("a released sandbox keeps running, and the next owner attaches to it", async () => {
    const first = open(ownedWith(1)).sandboxes;
    await (await first.wake("cl-given", {})).sandbox.python.run("x = 1");
    await first.release("cl-given");
    expect(first.state("cl-given")).toBe("cold");
    const second = open(ownedWith(2)).sandboxes;
    const after = await second.wake("cl-given", {});
    expect([after.from, await evaluate(after.sandbox, "x")]).toEqual(["hot", "1"]);
  });

  it("the sandbox of another server is neither woken nor adopted", async () => {
    const owner = open(ownedWith(1)).sandboxes;
    const { sandbox } = await owner.wake("cl-foreign", {});
    const { sandboxes, problems } = open(refusing);
    await expect(sandboxes.wake("cl-foreign", {})).rejects.toMatchObject({ code: "not_owner" });
    await expect(sandboxes.wake("cl-nothing", {})).rejects.toMatchObject({ code: "not_owner" });
    expect((await sandboxes.adopt()).joined).toEqual([]);
    expect(problems).toEqual([]);
    expect(await evaluate(sandbox, "1 + 1")).toBe("2");
    expect(await Sandbox.list({ dataDir: dataDir(), ids: ["cl-nothing"] })).toEqual([]);
  });

  it("a sandbox that another machine may still run is not created before it has ended there", async () => {
    const orphanTimeoutMs = 1500;
    const first = open(ownedWith(1)).sandboxes;
    const { sandbox } = await first.wake("cl-far", {});
    await sandbox.files.write("kept.txt", "yes");
    // As seen from another machine: the socket leads nowhere, and its file is still there.
    const folder = join(dataDir(), `${sandbox.info.driver}/store/sandboxes/cl-far`);
    const info = JSON.parse(await readFile(join(folder, "info.json"), "utf8")) as object;
    await first.hibernate("cl-far");
    await writeFile(join(folder, "info.json"), JSON.stringify({ ...info, machine: "another" }));
    await writeFile(join(folder, "guest.sock"), "");
    const { uid, gid } = await stat(folder);
    await chown(join(folder, "guest.sock"), uid, gid);
    const [listing] = await Sandbox.list({ dataDir: dataDir(), ids: ["cl-far"] });
    expect([listing?.state, listing?.isElsewhere]).toEqual(["dead", true]);
    const sinceMs = Date.now();
    const second = open({ acquireLease: async () => ({ fence: 3, sinceMs }), orphanTimeoutMs }).sandboxes;
    const woken = await second.wake("cl-far", {});
    expect(Date.now() - sinceMs).toBeGreaterThanOrEqual(orphanTimeoutMs);
    expect([woken.from, await woken.sandbox.files.readText("kept.txt")]).toEqual(["cold", "yes"]);
  });
});
