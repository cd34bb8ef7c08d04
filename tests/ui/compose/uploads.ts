import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { DeskPage } from "../../support/ui/desk-page.ts";
import type { Stage } from "../../support/ui/stage.ts";
import { copyPicture, Drag, pasteFiles, setUploadSpeed } from "./file-gestures.ts";

const boats = "harbour,berths\nBergen,4\nOslo,9\nTromsø,2\n";

export function testUploads(stage: () => Stage): void {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "atoll-files-"));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const makeFile = async (name: string, content: string | Uint8Array) => {
    await writeFile(join(folder, name), content);
    return join(folder, name);
  };

  it("a table dropped on the page becomes the thread's data, and the questions are of its columns", async () => {
    const desk = await stage().open();
    await desk.page.getByText("transactions.csv is loaded").waitFor();
    const drag = await Drag.start(desk.page, [await makeFile("boats.csv", boats)]);
    await drag.over(desk.page.getByRole("button", { name: "New thread" }));
    await desk.page.getByText("Drop the files to give them to this thread").waitFor();
    await drag.drop();
    await desk.page.getByText("boats.csv is loaded: 3 rows, 2 columns").waitFor();
    await expect
      .poll(() => desk.page.getByRole("list", { name: "To begin with" }).innerText())
      .toMatch(/berths|harbour/);
    expect(await desk.page.getByRole("list", { name: "To begin with" }).innerText()).not.toContain("amount");
    expect(await desk.page.getByText("Drop the files").count()).toBe(0);
    const answer = await desk.ask("What is the total of berths?");
    expect(await answer.innerText()).toContain("15");
    expect(desk.problems).toEqual([]);
  });

  it("several files dropped on a conversation are all there, and a drag that leaves does nothing", async () => {
    const desk = await stage().open();
    await desk.ask("How many rows are there?");
    const files = [await makeFile("a.csv", "x,y\n1,2\n"), await makeFile("notes.txt", "hello")];
    const drag = await Drag.start(desk.page, files);
    await drag.over(desk.page.getByRole("log"));
    await desk.page.getByText("Drop the files").waitFor();
    // What the browser says when files are dragged out of its window; the protocol has no way to do that.
    await desk.page.evaluate(`document.body.dispatchEvent(new DragEvent("dragleave", { bubbles: true }))`);
    await desk.page.getByText("Drop the files").waitFor({ state: "detached" });
    expect(await uploads(desk).count()).toBe(0);
    await drag.over(desk.page.getByRole("log"));
    await drag.drop();
    await expect
      .poll(() => uploads(desk).evaluateAll((items) => items.map(({ className }) => className)))
      .toEqual(["upload done", "upload done"]);
    const { files: kept } = await stage().request("GET", `/thread/${desk.threadId}/files?path=/data`);
    expect(filesIn(kept)).toEqual(["a.csv", "notes.txt"]);
    expect(desk.problems).toEqual([]);
  });

  it("a slow upload shows how far it is; nothing is sent before its end; it can be called off", async () => {
    const desk = await stage().open();
    await desk.page.getByText("transactions.csv is loaded").waitFor();
    const wire = await desk.page.context().newCDPSession(desk.page);
    await setUploadSpeed(wire, 60_000);
    await desk.page.locator("input[type=file]").setInputFiles([
      { name: "slow.txt", mimeType: "text/plain", buffer: Buffer.alloc(700_000, "a") },
      { name: "unwanted.txt", mimeType: "text/plain", buffer: Buffer.alloc(700_000, "b") },
    ]);
    const bar = desk.page.getByRole("progressbar", { name: "slow.txt" });
    await expect.poll(async () => Number(await bar.getAttribute("value"))).toBeGreaterThan(5);
    expect(await uploads(desk).first().innerText()).toMatch(/^slow\.txt: \d{1,2} %/);
    await desk.message.fill("Too early?");
    expect(await desk.page.getByRole("button", { name: "Send" }).isDisabled()).toBe(true);
    await desk.page.getByRole("button", { name: "Do not upload unwanted.txt" }).click();
    expect(await uploads(desk).count()).toBe(1);
    await setUploadSpeed(wire, -1);
    await desk.page.getByRole("button", { name: "Hide slow.txt" }).waitFor();
    expect(await desk.page.getByRole("button", { name: "Send" }).isEnabled()).toBe(true);
    const { files } = await stage().request("GET", `/thread/${desk.threadId}/files?path=/data`);
    expect(filesIn(files)).toEqual(["slow.txt"]);
    expect(desk.problems).toEqual([]);
  });

  it("a file that is too large is refused in plain words, in the reader's language", async () => {
    const desk = await stage().open({ language: "zh" });
    const buffer = Buffer.alloc(3_000_000, "a");
    const large = { name: "large.bin", mimeType: "application/octet-stream", buffer };
    await desk.page.locator("input[type=file]").setInputFiles(large);
    await desk.page.getByText("large.bin 未能上传：超过了服务器允许的大小。").waitFor();
    await desk.page.getByRole("button", { name: "隐藏 large.bin" }).click();
    expect(await desk.page.locator(".upload").count()).toBe(0);
  });

  it("a file without a name is refused, and so is an empty one", async () => {
    const desk = await stage().open();
    await desk.page.getByText("transactions.csv is loaded").waitFor();
    await pasteFiles(desk.page, [
      { name: "", content: boats },
      { name: "empty.csv", content: "" },
    ]);
    await desk.page.getByText("A file without a name was not uploaded: give it a name first.").waitFor();
    await desk.page.getByText("empty.csv was not uploaded: it is empty.").waitFor();
  });

  it("an upload whose connection breaks can be tried again", async () => {
    const desk = await stage().open();
    await desk.page.getByText("transactions.csv is loaded").waitFor();
    await desk.page.route("**/upload", (route) => route.abort(), { times: 1 });
    await desk.page.locator("input[type=file]").setInputFiles(await makeFile("boats.csv", boats));
    await desk.page.getByText("boats.csv was not uploaded: it could not be read or sent.").waitFor();
    await desk.page.getByRole("button", { name: "Try again" }).click();
    await desk.page.getByText("boats.csv is loaded: 3 rows, 2 columns").waitFor();
  });

  it("a picture is pasted from the clipboard, files are pasted anywhere, a long text as a file", async () => {
    const desk = await stage().open();
    await desk.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await desk.page.getByText("transactions.csv is loaded").waitFor();
    await copyPicture(desk.page);
    await desk.message.press("ControlOrMeta+v");
    await desk.page.getByRole("button", { name: "Hide image.png" }).waitFor();
    await pasteFiles(desk.page, [{ name: "boats.csv", content: boats }]);
    await desk.page.getByText("boats.csv is loaded: 3 rows").waitFor();

    const lines = ["k,v", ...Array.from({ length: 120 }, (_, at) => `${at},${at * 2}`)].join("\n");
    await desk.page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(lines)})`);
    await desk.message.press("ControlOrMeta+v");
    await desk.page.getByRole("button", { name: "Attach as a file" }).click();
    await desk.page.getByRole("button", { name: "Hide pasted.csv" }).waitFor();
    expect(await desk.message.inputValue()).toBe("");
    expect(desk.problems).toEqual([]);
  });
}

function filesIn(listed: unknown): string[] {
  const files = listed as { name: string; kind: string }[];
  return files
    .filter(({ kind }) => kind === "file")
    .map(({ name }) => name)
    .toSorted();
}

function uploads(desk: DeskPage) {
  return desk.page.getByRole("list", { name: "Files on their way" }).getByRole("listitem");
}
