import { describe, expect, it } from "vitest";
import { evaluate, runOk } from "../run-code.ts";
import { describeInside, expectRefusals, refusal, type Suite } from "../suite.ts";

export function describeFiles({ driver, share }: Suite): void {
  describe("files", () => {
    const sandbox = share();
    const files = () => sandbox().files;
    const inside = (path: string): string => `${sandbox().info.paths.workspace}/${path}`;

    it("are written and read as text", async () => {
      const text = "first line\r\nzweite Zeile\n漢字 🦜\n\n";
      const stat = await files().write("notes/today.txt", text);
      expect(stat).toMatchObject({
        path: inside("notes/today.txt"),
        name: "today.txt",
        kind: "file",
        sizeBytes: Buffer.byteLength(text),
      });
      expect(await files().readText("notes/today.txt")).toBe(text);
      expect(await evaluate(sandbox(), "open('notes/today.txt', newline='').read()[-4:]")).toBe(
        "' 🦜\\n\\n'",
      );
    });

    it("are written and read as bytes", async () => {
      const bytes = Uint8Array.from({ length: 1024 }, (_, n) => n % 256);
      await files().write("all.bin", bytes);
      expect(Buffer.from(await files().read("all.bin"))).toEqual(Buffer.from(bytes));
    });

    it("can be empty", async () => {
      expect(await files().write("empty", "")).toMatchObject({ sizeBytes: 0 });
      expect(await files().read("empty")).toHaveLength(0);
      expect(await files().readText("empty")).toBe("");
    });

    it("are found by a relative and by an absolute path", async () => {
      await files().write(inside("absolute.txt"), "same");
      expect(await files().readText("absolute.txt")).toBe("same");
      expect(await files().readText("./notes/../absolute.txt")).toBe("same");
    });

    it("can be read everywhere the sandbox can read", async () => {
      const { hasProcesses } = describeInside(driver);
      if (!hasProcesses) await runOk(sandbox(), "open('/tmp/elsewhere', 'w').write('here')");
      const path = hasProcesses ? "/proc/self/status" : "/tmp/elsewhere";
      expect((await files().readText(path)).length).toBeGreaterThan(0);
    });

    it("are appended to", async () => {
      await files().write("log", "one\n", { append: true });
      await files().write("log", new TextEncoder().encode("two\n"), { append: true });
      expect(await files().readText("log")).toBe("one\ntwo\n");
    });

    it("have the mode they are given", async () => {
      expect((await files().write("run.sh", "#!/bin/sh\n", { mode: 0o750 })).mode & 0o777).toBe(0o750);
      expect((await files().stat("run.sh")).mode & 0o777).toBe(0o750);
      expect(await evaluate(sandbox(), "import os; oct(os.stat('run.sh').st_mode & 0o777)")).toBe("'0o750'");
    });

    it("belong to the kernel's user", async () => {
      await files().write("mine.txt", "from outside");
      await runOk(
        sandbox(),
        "import os; open('mine.txt', 'a').write(', changed inside'); os.remove('mine.txt')",
      );
    });

    it("are copied and removed by code, whole folders at once, and used through descriptors", async () => {
      await files().write("tree/sub/leaf.txt", "leaf");
      await runOk(sandbox(), workOnTree);
      expect(await files().readText("copy/sub/leaf.txt")).toBe("leaf");
      expect(await files().exists("tree")).toBe(false);
    });

    it("are described", async () => {
      await files().write("described/file", "12345");
      await runOk(
        sandbox(),
        "import os; os.symlink('file', 'described/link'); os.symlink('nowhere', 'described/dangling')",
      );
      expect(await files().stat("described")).toMatchObject({
        path: inside("described"),
        name: "described",
        kind: "folder",
      });
      expect(await files().stat("described/file")).toMatchObject({ kind: "file", sizeBytes: 5 });
      expect(await files().stat("described/link")).toMatchObject({ kind: "symlink", linkTarget: "file" });
      const { modifiedAt } = await files().stat("described/file");
      expect(new Date(modifiedAt).toISOString().slice(0, 4)).toBe(modifiedAt.slice(0, 4));
      expect(await files().exists("described/file")).toBe(true);
      expect(await files().exists("described/missing")).toBe(false);
    });

    it("that are not there are not found", async () => {
      await expectRefusals("not_found", [
        files().read("missing"),
        files().readText("missing/deeper"),
        files().stat("missing"),
        files().list("missing"),
        files().move("missing", "anywhere"),
      ]);
    });

    it("are told from folders", async () => {
      await files().write("a-file", "x");
      await files().mkdir("a-folder");
      await expectRefusals("not_a_file", [files().read("a-folder"), files().write("a-folder", "x")]);
      await expectRefusals("not_a_folder", [files().list("a-file"), files().write("a-file/below", "x")]);
    });

    it("are refused past the size asked for", async () => {
      await files().write("big", "x".repeat(2000));
      await expect(files().read("big", { maxBytes: 1000 })).rejects.toMatchObject(refusal("too_large"));
      expect(await files().read("big", { maxBytes: 1000, length: 10 })).toHaveLength(10);
    });

    it("are refused under names and options that make no sense", async () => {
      await expectRefusals("invalid_argument", [
        files().read(""),
        files().read("nul\0nul"),
        files().write(7 as unknown as string, "x"),
        files().write("x", 7 as unknown as string),
        files().write("x", "x", { mode: -1 }),
        files().read("a-file", { offset: -1 }),
        files().read("a-file", { length: 1.5 }),
        files().list(".", { maxEntries: 0 }),
      ]);
    });

    it.runIf(driver.capabilities.isolation)("are refused where the sandbox cannot write", async () => {
      await expectRefusals("permission_denied", [
        files().write("/etc/new", "x"),
        files().write("/data/new", "x"),
        files().mkdir("/new"),
      ]);
    });

    it("are left alone when the signal has aborted", async () => {
      const signal = AbortSignal.abort();
      await expectRefusals("aborted", [
        files().write("aborted", "x", { signal }),
        files().read("a-file", { signal }),
      ]);
      expect(await files().exists("aborted")).toBe(false);
    });
  });
}

const workOnTree = `
import fcntl, os, select, shutil, tempfile
shutil.copytree("tree", "copy")
folder = os.open("tree", os.O_RDONLY)
second = os.dup(folder)
assert second not in (0, 1, 2, folder), second
assert os.listdir(second) == ["sub"]
assert fcntl.fcntl(second, fcntl.F_GETFL) & os.O_ACCMODE == os.O_RDONLY
os.close(folder), os.close(second)
shutil.rmtree("tree")
with tempfile.TemporaryDirectory() as scratch:
    open(f"{scratch}/x", "w").close()
assert not os.path.exists(scratch)
reader, writer = os.pipe()
os.write(writer, b"x")
assert select.select([reader], [], [], 0)[0] == [reader]
os.close(reader), os.close(writer)
`;
