import { spawn } from "node:child_process";
import { once } from "node:events";
import { Sandbox } from "@atoll/sandbox";
import { expect, it } from "vitest";
import { ManualClock } from "../../../tests/support/lifecycle/manual-clock.ts";
import { describeSandboxes, evaluate } from "../../../tests/support/lifecycle/sandbox-suite.ts";

await describeSandboxes("adoption", ({ dataDir, open }) => {
  const listed = async () => (await Sandbox.list({ dataDir: dataDir() })).map(({ id }) => id);

  it("adopts the sandboxes of a killed server, and removes only its own orphans", async () => {
    const foreign = await Sandbox.create({
      dataDir: dataDir(),
      id: "ad-foreign",
      labels: { "atoll.owner": "x" },
    });
    const plain = await Sandbox.create({ dataDir: dataDir(), id: "ad-plain" });
    await killServerWith(dataDir());
    const { sandboxes, changes } = open({ isKnown: (id) => id !== "ad-unknown", orphanGraceMs: 0 });
    const adopted = await sandboxes.adopt();
    expect({ ...adopted, joined: adopted.joined.toSorted() }).toEqual({
      joined: ["ad-frozen", "ad-running"],
      removed: ["ad-unknown"],
      spared: [],
    });
    expect([sandboxes.state("ad-running"), sandboxes.state("ad-frozen")]).toEqual(["hot", "warm"]);
    expect(await listed()).toEqual(expect.arrayContaining(["ad-foreign", "ad-plain", "ad-rested"]));
    expect(await listed()).not.toContain("ad-unknown");
    const woken = await sandboxes.wake("ad-frozen", {});
    expect([woken.from, woken.isFresh]).toEqual(["warm", false]);
    expect(await evaluate(woken.sandbox, "x")).toBe("'ad-frozen'");
    expect((await sandboxes.wake("ad-rested", {})).restored).toEqual(["x"]);
    expect(changes).toContain("ad-unknown: hot → removed, orphaned");
    expect((await sandboxes.jobs()).map(({ sandboxId, kind }) => `${kind} ${sandboxId}`)).toContain(
      "pause ad-running",
    );
    await foreign.destroy();
    await plain.destroy();
  });

  it("keeps a young orphan, and removes it once it is old enough", async () => {
    const clock = new ManualClock(Date.now());
    const made = await Sandbox.create({
      dataDir: dataDir(),
      id: "ad-young",
      labels: { "atoll.owner": "atoll" },
    });
    await made.detach();
    const options = { isKnown: (id: string) => id !== "ad-young", orphanGraceMs: 60_000, clock };
    const { sandboxes } = open(options);
    expect((await sandboxes.adopt()).spared).toEqual(["ad-young"]);
    expect(await listed()).toContain("ad-young");
    clock.advance(61_000);
    await expect.poll(listed).not.toContain("ad-young");
  });

  it("reports an expired thread, also if the server was restarted meanwhile", async () => {
    const clock = new ManualClock();
    const expired: string[] = [];
    const options = {
      clock,
      deleteAfterMs: 1_000_000,
      onExpired: async (id: string) => void expired.push(id),
    };
    const { sandboxes } = open(options);
    await sandboxes.wake("ad-expiring", {});
    await sandboxes.hibernate("ad-expiring");
    await sandboxes.close();
    const { sandboxes: next } = open(options);
    clock.advance(999_000);
    expect(expired).toEqual([]);
    expect(Date.parse((await next.describe("ad-expiring")).since ?? "")).toBe(clock.now() - 999_000);
    clock.advance(2_000);
    await expect.poll(() => expired).toEqual(["ad-expiring"]);
  });
});

/** Another process creates sandboxes of threads, sets a variable in each, and is killed. */
async function killServerWith(dataDir: string): Promise<void> {
  const module = new URL("index.ts", import.meta.url).href;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", server, module, dataDir], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  child.kill("SIGKILL");
  await once(child, "close");
}

const server = `
const [module, dataDir] = process.argv.slice(1);
setInterval(() => {}, 1e9);
const { createThreadSandboxes } = await import(module);
const changed = Promise.withResolvers();
const sandboxes = createThreadSandboxes({ dataDir, maxHot: 1, onStateChange: (id, { to }) => to === "warm" && changed.resolve() });
const releases = ["ad-running", "ad-unknown"].map((id) => sandboxes.keepAwake(id));
for (const id of ["ad-rested", "ad-running", "ad-unknown", "ad-frozen"]) {
  const release = sandboxes.keepAwake(id);
  const { sandbox } = await sandboxes.wake(id, {});
  await sandbox.python.run("x = " + JSON.stringify(id));
  if (id === "ad-rested") await sandboxes.hibernate(id);
  release();
}
await changed.promise;
console.log("ready");
`;
