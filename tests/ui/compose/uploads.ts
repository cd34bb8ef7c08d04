import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { AppPage } from "../../support/ui/app-page.ts";
import type { UiHarness } from "../../support/ui/ui-harness.ts";
import { copyPicture, Drag, pasteFiles, setUploadSpeed } from "./file-gestures.ts";

const BOATS_CSV = "harbour,berths\nBergen,4\nOslo,9\nTromsø,2\n";

export function testUploads(ui: () => UiHarness): void {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "atoll-files-"));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const makeFile = async (name: string, content: string | Uint8Array) => {
    await writeFile(join(folder, name), content);
    return join(folder, name);
  };

  it("loads a dropped table and suggests questions about its columns", async () => {
    const app = await ui().open();
    await app.page.getByText("transactions.csv is loaded").waitFor();
    const drag = await Drag.start(app.page, [await makeFile("boats.csv", BOATS_CSV)]);
    await drag.over(app.page.getByRole("button", { name: "New thread" }));
    await app.page.getByText("Drop files to add them to this thread").waitFor();
    await drag.drop();
    await app.page.getByText("boats.csv is loaded: 3 rows, 2 columns").waitFor();
    await expect
      .poll(() => app.page.getByRole("list", { name: "Suggested questions" }).innerText())
      .toMatch(/berths|harbour/);
    expect(await app.page.getByRole("list", { name: "Suggested questions" }).innerText()).not.toContain(
      "amount",
    );
    expect(await app.page.getByText("Drop files to add").count()).toBe(0);
    const answer = await app.ask("What is the total of berths?");
    expect(await answer.innerText()).toContain("15");
    expect(app.problems).toEqual([]);
  });

  it("takes several dropped files, and ignores a drag that leaves", async () => {
    const app = await ui().open();
    await app.ask("How many rows are there?");
    const files = [await makeFile("a.csv", "x,y\n1,2\n"), await makeFile("notes.txt", "hello")];
    const drag = await Drag.start(app.page, files);
    await drag.over(app.page.getByRole("log"));
    await app.page.getByText("Drop files to add").waitFor();
    // The event of a drag that leaves the window, which the browser protocol cannot produce.
    await app.page.evaluate(`document.body.dispatchEvent(new DragEvent("dragleave", { bubbles: true }))`);
    await app.page.getByText("Drop files to add").waitFor({ state: "detached" });
    expect(await uploads(app).count()).toBe(0);
    await drag.over(app.page.getByRole("log"));
    await drag.drop();
    await expect
      .poll(() => uploads(app).evaluateAll((items) => items.map(({ className }) => className)))
      .toEqual(["upload done", "upload done"]);
    const { files: kept } = await ui().request("GET", `/thread/${app.threadId}/files?path=/data`);
    expect(filesIn(kept)).toEqual(["a.csv", "notes.txt"]);
    expect(app.problems).toEqual([]);
  });

  it("shows the progress of a slow upload, holds the message until it ends, and cancels it", async () => {
    const app = await ui().open();
    await app.page.getByText("transactions.csv is loaded").waitFor();
    const wire = await app.page.context().newCDPSession(app.page);
    await setUploadSpeed(wire, 60_000);
    await app.page.locator("input[type=file]").setInputFiles([
      { name: "slow.txt", mimeType: "text/plain", buffer: Buffer.alloc(700_000, "a") },
      { name: "unwanted.txt", mimeType: "text/plain", buffer: Buffer.alloc(700_000, "b") },
    ]);
    const bar = app.page.getByRole("progressbar", { name: "slow.txt" });
    await expect.poll(async () => Number(await bar.getAttribute("value"))).toBeGreaterThan(5);
    expect(await uploads(app).first().innerText()).toMatch(/^slow\.txt: \d{1,2} %/);
    await app.message.fill("Too early?");
    expect(await app.page.getByRole("button", { name: "Send" }).isDisabled()).toBe(true);
    await app.page.getByRole("button", { name: "Cancel the upload of unwanted.txt" }).click();
    expect(await uploads(app).count()).toBe(1);
    await setUploadSpeed(wire, -1);
    await app.page.getByRole("button", { name: "Hide slow.txt" }).waitFor();
    expect(await app.page.getByRole("button", { name: "Send" }).isEnabled()).toBe(true);
    const { files } = await ui().request("GET", `/thread/${app.threadId}/files?path=/data`);
    expect(filesIn(files)).toEqual(["slow.txt"]);
    expect(app.problems).toEqual([]);
  });

  it("refuses a file that is too large, in the reader's language", async () => {
    const app = await ui().open({ language: "zh" });
    const buffer = Buffer.alloc(3_000_000, "a");
    const large = { name: "large.bin", mimeType: "application/octet-stream", buffer };
    await app.page.locator("input[type=file]").setInputFiles(large);
    await app.page.getByText("large.bin 未能上传：超过了服务器允许的大小。").waitFor();
    await app.page.getByRole("button", { name: "隐藏 large.bin" }).click();
    expect(await app.page.locator(".upload").count()).toBe(0);
  });

  it("refuses unnamed and empty files", async () => {
    const app = await ui().open();
    await app.page.getByText("transactions.csv is loaded").waitFor();
    await pasteFiles(app.page, [
      { name: "", content: BOATS_CSV },
      { name: "empty.csv", content: "" },
    ]);
    await app.page.getByText("Unnamed file was not uploaded: it has no name. Rename it first.").waitFor();
    await app.page.getByText("empty.csv was not uploaded: it is empty.").waitFor();
    expect(app.problems).toEqual([]);
  });

  it("retries an upload whose connection broke", async () => {
    const app = await ui().open();
    await app.page.getByText("transactions.csv is loaded").waitFor();
    await app.page.route("**/upload", (route) => route.abort(), { times: 1 });
    await app.page.locator("input[type=file]").setInputFiles(await makeFile("boats.csv", BOATS_CSV));
    await app.page.getByText("boats.csv was not uploaded: it could not be read or sent.").waitFor();
    const retry = app.page.getByRole("button", { name: "Try again" });
    await retry.click();
    await app.page.getByText("boats.csv is loaded: 3 rows, 2 columns").waitFor();
    expect(await retry.count()).toBe(0);
  });

  it("takes pasted pictures, pasted files, and long pasted text as a file", async () => {
    const app = await ui().open();
    await app.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await app.page.getByText("transactions.csv is loaded").waitFor();
    await copyPicture(app.page);
    await app.message.press("ControlOrMeta+v");
    await app.page.getByRole("button", { name: "Hide image.png" }).waitFor();
    await pasteFiles(app.page, [{ name: "boats.csv", content: BOATS_CSV }]);
    await app.page.getByText("boats.csv is loaded: 3 rows").waitFor();

    const lines = ["k,v", ...Array.from({ length: 120 }, (_, at) => `${at},${at * 2}`)].join("\n");
    await app.page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(lines)})`);
    await app.message.press("ControlOrMeta+v");
    await app.page.getByRole("button", { name: "Attach as a file" }).click();
    await app.page.getByRole("button", { name: "Hide pasted.csv" }).waitFor();
    expect(await app.message.inputValue()).toBe("");
    expect(app.problems).toEqual([]);
  });
}

function filesIn(listed: unknown): string[] {
  const files = listed as { name: string; kind: string }[];
  return files
    .filter(({ kind }) => kind === "file")
    .map(({ name }) => name)
    .toSorted();
}

function uploads(app: AppPage) {
  return app.page.getByRole("list", { name: "Uploads" }).getByRole("listitem");
}
