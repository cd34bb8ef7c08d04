import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { BrowserView } from "@atoll/client";
import { Sandbox } from "@atoll/sandbox";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { openSite, type Site } from "../browser/site.harness.ts";
import { missingChromium } from "../support/chromium.ts";
import { describeIf } from "../support/requirements.ts";
import type { ServerProcess } from "../support/server-process.ts";
import { ThreadUser } from "../support/thread-user.ts";
import { LifecycleBench } from "./lifecycle/bench.ts";

describeIf({ suite: "the browsers of threads", missing: missingChromium, isRequired: true }, () => {
  let bench: LifecycleBench;
  let site: Site;
  let server: ServerProcess;
  let user: ThreadUser;
  const start = () =>
    bench.start({ ATOLL_EGRESS_FILE: join(bench.folder.path, "egress.json"), SANDBOX_RUNTIME: "local" });
  beforeAll(async () => {
    [bench, site] = await Promise.all([LifecycleBench.create("browser"), openSite()]);
    const egress = { addresses: { "site.test": site.url } };
    await writeFile(join(bench.folder.path, "egress.json"), JSON.stringify(egress), { mode: 0o600 });
    server = await start();
    user = await ThreadUser.create(server.url, { network: { allow: ["site.test"] } });
  });
  afterAll(async () => {
    await bench[Symbol.asyncDispose]();
    await site.close();
  });

  const use = (input: Parameters<typeof user.client.browsers.use>[1]) =>
    user.client.browsers.use(user.threadId, input);
  const listBrowsers = async () =>
    (await Sandbox.list({ runtime: "local", dataDir: bench.folder.path })).filter(({ id }) =>
      id.startsWith("browser-"),
    );

  it("are not started by a look, shown while they run, and used by a person", async () => {
    const controller = new AbortController();
    const views = user.client.browsers.watch(user.threadId, { signal: controller.signal });
    const next = async (fits: (view: BrowserView) => boolean) => {
      for (;;) {
        const { value, done } = await views.next();
        if (done) throw new Error("the view has ended");
        if (fits(value)) return value;
      }
    };
    expect(await next(() => true)).toEqual({ type: "off" });
    const state = await use({ type: "navigate", url: "http://site.test/busy" });
    expect(state).toMatchObject({
      url: "http://site.test/busy",
      title: "Busy",
      tabs: [{ is_current: true }],
    });
    const frame = await next((view) => view.type === "frame" && view.title === "Busy");
    if (frame.type !== "frame") throw new Error("no frame");
    expect(Buffer.from(frame.jpeg, "base64").subarray(0, 2).toString("hex")).toBe("ffd8");
    expect(frame.width).toBeGreaterThan(300);
    await use({ type: "navigate", url: "http://site.test/form" });
    await use({ type: "key", key: "Tab" });
    await use({ type: "text", text: "Ann" });
    expect(await use({ type: "key", key: "Enter" })).toBeDefined();
    await vi.waitFor(async () => {
      const { url } = await use({ type: "mouse", action: "move", x: 5, y: 5 });
      expect(url).toBe("http://site.test/sent");
    }, 90_000);
    expect(await next((view) => view.type === "frame" && view.title === "Sent")).toMatchObject({
      url: "http://site.test/sent",
    });
    // Nothing is seen to change with it.
    await use({ type: "navigate", url: "http://site.test/quiet" });
    await next((view) => view.type === "frame" && view.title === "Quiet");
    await use({ type: "key", key: "a" });
    await next((view) => view.type === "frame" && view.title === "Renamed");
    await expect(use({ type: "navigate", url: "http://elsewhere.test/" })).rejects.toMatchObject({
      code: "permission_denied",
    });
    controller.abort();
  });

  it("are watched by no more than a few at the same time", async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const open = async () => (await user.client.browsers.watch(user.threadId, { signal }).next()).value;
    let count = 0;
    const openAll = async () => {
      for (; count < 10; count += 1) await open();
    };
    await expect(openAll()).rejects.toMatchObject({ code: "busy" });
    // One that has just left may still be counted.
    expect([3, 4]).toContain(count);
    controller.abort();
  });

  it("belong to no list of sandboxes, and end when the thread rests", async () => {
    expect((await user.client.sandboxes.list()).sandboxes).toEqual([]);
    expect((await listBrowsers()).map(({ state }) => state)).toEqual(["running"]);
    await user.client.threads.suspend(user.threadId);
    await vi.waitFor(async () => expect((await listBrowsers())[0]?.state).toBe("dead"), 90_000);
  });

  it("that a killed server leaves are ended by the next, and start again", async () => {
    await use({ type: "navigate", url: "http://site.test/memory" });
    await server.kill();
    server = await start();
    user.moveTo(server.url);
    await vi.waitFor(async () => expect((await listBrowsers())[0]?.state).toBe("dead"), 90_000);
    expect(await use({ type: "navigate", url: "http://site.test/form" })).toMatchObject({ title: "Form" });
  });

  it("go with their thread, profile and all", async () => {
    await user.client.threads.remove(user.threadId, { now: true });
    await vi.waitFor(async () => expect(await listBrowsers()).toEqual([]), 90_000);
  });
});
