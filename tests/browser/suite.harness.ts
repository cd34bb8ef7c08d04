import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Sandbox } from "@atoll/sandbox";
import { SandboxSession, type ToolOutput } from "@atoll/toolkit";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { openSite, type Site } from "./site.harness.ts";

/** A real Chromium on a real site, through the tools, on one runtime. */
export function describeBrowser(runtime: string): void {
  let dataDir = "";
  let site: Site;
  let session: SandboxSession;
  const open = () =>
    SandboxSession.create({
      sessionId: "browsing",
      runtime,
      dataDir,
      network: { allow: ["site.test"] },
      egress: { addresses: { "site.test": site.url } },
    });
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "atoll-browser-"));
    site = await openSite();
    session = await open();
  });
  afterAll(async () => {
    await session?.destroy();
    await site?.close();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 10 });
  });

  const call = (name: string, input: object, signal?: AbortSignal): Promise<ToolOutput> =>
    session.call(`browser_${name}`, input, signal ? { signal } : {});
  const text = async (name: string, input: object) => {
    const output = await call(name, input);
    if (output.isError) throw new Error(output.text);
    return output.text;
  };
  const visit = (path: string) => text("open", { url: `http://site.test${path}` });
  /** The reference of the first line that says this. */
  const refOf = (snapshot: string, words: string) => {
    const line = snapshot.split("\n").find((one) => one.includes(words) && one.includes("[ref="));
    return /\[ref=(\w+)\]/.exec(line ?? "")?.[1] ?? expect.fail(`no ${words} in ${snapshot}`);
  };

  describe("pages", () => {
    it("are shown as text with references, with what the policy kept from them", async () => {
      const shown = await visit("/");
      expect(shown).toMatch(/Page: http:\/\/site\.test\/\nTitle: 起点\n/);
      expect(shown).toMatch(/heading "Start" \[level=1\] \[ref=e\d+\]/);
      expect(shown).toContain(
        "does not allow these hosts, so the page may lack something: elsewhere.test:80",
      );
      const part = await text("snapshot", { ref: refOf(shown, "To the form") });
      expect(part).toContain("To the form");
      expect(part).not.toContain("Pop up");
    });

    it("have forms that are filled in and sent", async () => {
      const form = await visit("/form");
      await text("type", { ref: refOf(form, "Name"), text: "小明" });
      await text("type", { ref: refOf(form, "Note"), text: " and new", clear: false });
      await text("action", { action: "select", ref: refOf(form, "City"), values: ["北京"] });
      await text("action", { action: "check", ref: refOf(form, "Agree") });
      const sent = await text("click", { ref: refOf(form, "Send") });
      expect(sent).toContain("Title: Sent");
      expect(sent).toContain("name=小明; note=old and new; city=bj; agree=on");
      expect(await text("action", { action: "back" })).toContain("Title: Form");
      const other = await visit("/form");
      expect(await text("type", { ref: refOf(other, "Name"), text: "x", submit: true })).toContain(
        "Title: Sent",
      );
    });

    it("of an older snapshot have references that are refused", async () => {
      const form = await visit("/form");
      await visit("/popup");
      expect(await call("click", { ref: refOf(form, "Send") })).toMatchObject({
        isError: true,
        text: expect.stringContaining("take a new snapshot"),
      });
      expect(await call("click", { ref: "body >> nth=0" })).toMatchObject({ errorCode: "not_found" });
    });

    it("take files of the workspace", async () => {
      await session.sandbox.files.write("报告.txt", "内容");
      const page = await visit("/upload");
      await text("action", { action: "upload", ref: refOf(page, "File"), paths: ["报告.txt"] });
      await text("action", { action: "wait_for", seconds: 0 });
      expect(await text("action", { action: "evaluate", script: "document.title" })).toContain(
        "报告.txt: 内容",
      );
    });

    it("run scripts, of whose values no more than the model reads comes out", async () => {
      const page = await visit("/form");
      const script = "(element) => element.tagName";
      expect(await text("action", { action: "evaluate", script, ref: refOf(page, "Send") })).toContain(
        '"BUTTON"',
      );
      const long = await text("action", { action: "evaluate", script: "async () => 'x'.repeat(9_000_000)" });
      expect(long).toContain("(9000002 characters)");
      expect(long.length).toBeLessThan(40_000);
      const broken = await call("action", { action: "evaluate", script: "nothing.at.all" });
      expect(broken).toMatchObject({
        isError: true,
        text: expect.stringContaining("nothing is not defined"),
      });
    });

    it("are followed to the next one, however they get there and however late it is", async () => {
      await visit("/form");
      const script = (source: string) => text("action", { action: "evaluate", script: source });
      expect(await script("document.forms[0].submit()")).toContain("Title: Sent");
      expect(await script("void (location.href = '/late')")).toContain("/late\nTitle: Late");
      expect(await script("void (location.href = '/nothing')")).toContain("/late\nTitle: Late");
      expect(await script("void (location.href = '/around')")).toContain("/form\nTitle: Form");
    });

    it("say so when the next one does not come", async () => {
      await visit("/form");
      const waiting = await text("action", { action: "evaluate", script: "void (location.href = '/never')" });
      expect(waiting).toContain("[Still waiting for http://site.test/never: take a snapshot later");
      expect(await visit("/form")).toContain("Title: Form");
    });

    it("are pictures too, kept as artifacts", async () => {
      await visit("/form");
      const { images = [], data } = await call("screenshot", { full_page: true });
      expect(
        Buffer.from(images[0]?.base64 ?? "", "base64")
          .subarray(1, 4)
          .toString(),
      ).toBe("PNG");
      const { path } = data as { path: string };
      expect(await session.sandbox.files.exists(path)).toBe(true);
    });
  });

  describe("tabs", () => {
    it("are opened by links and scripts, become the current one, and close", async () => {
      const start = await visit("/");
      const opened = await text("click", { ref: refOf(start, "In a new tab") });
      expect(opened).toMatch(/A new tab was opened: tab (\d+)\. It is the current one now/);
      expect(opened).toMatch(/Title: Form\nTabs:\n- \d+: 起点 .*\n- \d+: Form .*\[current\]/);
      const first = /- (\d+): 起点/.exec(opened)?.[1];
      const again = await text("action", { action: "switch_tab", tab: Number(first) });
      expect(again).toContain("Title: 起点");
      const popup = await text("click", { ref: refOf(again, "Pop up") });
      expect(popup).toContain("I popped up");
      await text("click", { ref: refOf(popup, "Close me") });
      expect(await text("action", { action: "tabs" })).not.toContain("Popup");
      await text("action", { action: "switch_tab", tab: Number(first) });
      const others = (await call("action", { action: "tabs" })).data as {
        tabs: { id: number; is_current: boolean }[];
      };
      for (const { id } of others.tabs.filter((tab) => !tab.is_current))
        await text("action", { action: "close_tab", tab: id });
      expect(await text("snapshot", {})).not.toContain("Tabs:");
      expect(await call("action", { action: "switch_tab", tab: 999 })).toMatchObject({
        errorCode: "not_found",
      });
    });
  });

  describe("dialogs", () => {
    it("are dismissed and told of, or answered as was said before", async () => {
      const page = await visit("/");
      const asked = await text("click", { ref: refOf(page, "Ask") });
      expect(asked).toContain('A dialog (confirm) said "Really?": dismissed.');
      expect(asked).toContain("Title: no");
      await text("action", { action: "dialog", accept: true });
      expect(await text("click", { ref: refOf(page, "Ask") })).toContain("Title: yes");
      await text("action", { action: "dialog", accept: true, text: "小明" });
      expect(await text("click", { ref: refOf(page, "Prompt") })).toContain("Title: 小明");
    });
  });

  describe("downloads", () => {
    it("land in the workspace under safe names, none over another", async () => {
      const page = await visit("/");
      const ref = refOf(page, "A file");
      expect(await text("click", { ref })).toMatch(
        /Downloaded \/workspace\/downloads\/(\S+\.csv) \(8 bytes\)/,
      );
      expect(await text("open", { url: "http://site.test/file.csv" })).toMatch(
        /Downloaded .* \(2\)\.csv \(8 bytes\)/,
      );
      const files = await session.sandbox.files.list("downloads");
      expect(files).toHaveLength(2);
      for (const { name, path } of files) {
        expect(name).toMatch(/^[^/\\.]+( \(2\))?\.csv$/);
        expect(await session.sandbox.files.readText(path)).toBe("a,b\n1,2\n");
      }
      expect(await text("action", { action: "wait_downloads" })).toContain("No download is under way");
    });
  });

  describe("what goes wrong", () => {
    it("a host that the policy does not allow is refused with words that say so", async () => {
      for (const url of ["http://other.test/", "https://other.test/", "http://site.test/leave"])
        expect(await call("open", { url })).toMatchObject({
          isError: true,
          text: expect.stringMatching(
            /network policy of this sandbox does not allow (other|elsewhere)\.test:\d+/,
          ),
        });
      expect(await call("open", { url: "file:///etc/passwd" })).toMatchObject({
        errorCode: "invalid_argument",
      });
      expect(await call("open", { url: "chrome://settings" })).toMatchObject({
        errorCode: "invalid_argument",
      });
      expect(await call("open", { url: "http://169.254.169.254/" })).toMatchObject({ isError: true });
    });

    it("a page that never loads ends with its time, and the tab can be used on", async () => {
      const before = site.givenUp.count;
      expect(await call("open", { url: "http://site.test/never", timeout_seconds: 1 })).toMatchObject({
        isError: true,
        errorCode: "timeout",
        text: expect.stringContaining("did not load within 1 s"),
      });
      await vi.waitFor(() => expect(site.givenUp.count).toBe(before + 1), 90_000);
      expect(await visit("/form")).toContain("Title: Form");
    });

    it("a page that never ends is shown as far as it came", async () => {
      const output = await call("open", { url: "http://site.test/half", timeout_seconds: 2 });
      expect(output.text).toMatch(/The first half|did not load within 2 s/);
      expect(await text("snapshot", {})).toContain("The first half");
    });

    it("a caller who gives up waits no longer, and the browser works on", async () => {
      const controller = new AbortController();
      const opening = call("open", { url: "http://site.test/never" }, controller.signal);
      controller.abort();
      expect(await opening).toMatchObject({ isError: true, errorCode: "aborted" });
      expect(await visit("/gone")).toContain("The server answered with status 404");
    });

    it("a page of 50 MB is shown in parts, and can be used", async () => {
      const before = process.memoryUsage().rss;
      const page = await text("open", { url: "http://site.test/huge", timeout_seconds: 60 });
      expect(page).toContain("Title: Huge");
      expect(page.length).toBeLessThan(15_000);
      const next = Number(/with offset (\d+)/.exec(page)?.[1]);
      expect(await text("snapshot", { offset: next })).toContain("word word");
      expect(await text("click", { ref: refOf(page, "Press") })).toContain("Title: pressed");
      expect(process.memoryUsage().rss - before).toBeLessThan(300e6);
    });

    it("a script that never ends leaves the tab to be closed", async () => {
      const page = await visit("/busy");
      const clicking = await call("click", { ref: refOf(page, "Hang"), snapshot: false });
      expect(clicking.text).toMatch(/Clicked|Timeout/);
      await text("action", { action: "new_tab" });
      const { tabs } = (await call("action", { action: "tabs" })).data as {
        tabs: { id: number; url: string }[];
      };
      const hung = tabs.find(({ url }) => url.endsWith("/busy")) ?? expect.fail("no such tab");
      await text("action", { action: "close_tab", tab: hung.id, snapshot: false });
      expect(await visit("/form")).toContain("Title: Form");
    });

    it("a browser that is killed is started anew, and says so", async () => {
      const inner = await Sandbox.attach(`browser-${session.sandbox.id}`, { dataDir, runtime });
      const processes = await inner.processes.list();
      const chromium = processes.find(({ name }) => name.startsWith("chrom")) ?? expect.fail("no Chromium");
      await inner.processes.kill(chromium.pid);
      await inner.detach();
      await vi.waitFor(async () => expect(await visit("/form")).toContain("was started anew"), 90_000);
      expect(await text("snapshot", {})).toContain("Title: Form");
    });
  });

  describe("the session's own sandbox", () => {
    it("is localhost in the browser", async () => {
      await session.sandbox.files.write("site/index.html", "<title>Own</title><h1>Served inside</h1>");
      await session.sandbox.commands.spawn("python3 -m http.server 8123 --bind 127.0.0.1", { cwd: "site" });
      await vi.waitFor(async () => expect(await session.sandbox.ports.list()).toContain(8123), 90_000);
      expect(await text("open", { url: "localhost:8123" })).toContain("Served inside");
      // The site listens there on the host, which is not what the browser means by it.
      const { port } = new URL(site.url);
      for (const host of ["127.0.0.1", "localhost", "[::1]", "2130706433"])
        expect(await call("open", { url: `http://${host}:${port}/` })).toMatchObject({
          isError: true,
          text: expect.stringContaining(`nothing listens on port ${port}`),
        });
    });
  });

  describe("the browser's own sandbox", () => {
    it("has no open port, and nothing of the session", async () => {
      await session.sandbox.files.write("secret.txt", "of the session");
      const inner = await Sandbox.attach(`browser-${session.sandbox.id}`, { dataDir, runtime });
      expect(await inner.ports.list()).toEqual([]);
      expect(await inner.files.exists("secret.txt")).toBe(false);
      await inner.detach();
    });
  });

  describe("the profile", () => {
    it("stays with the session when the browser and its process have ended", async () => {
      const page = await visit("/memory");
      await text("click", { ref: refOf(page, "Save") });
      await session.close();
      session = await open();
      expect(await visit("/memory")).toContain("cookie: kept=baked storage: stored");
    });
  });
}
