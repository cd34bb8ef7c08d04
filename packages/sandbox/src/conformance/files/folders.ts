import { describe, expect, it } from "vitest";
import type { FileStat } from "../../contract/files.ts";
import { runOk } from "../run-code.ts";
import { refusal, type Suite } from "../suite.ts";

export function describeFolders({ create, share }: Suite): void {
  describe("folders", () => {
    const sandbox = share();
    const files = () => sandbox().files;

    it("are listed, one level or all", async () => {
      const fresh = await create();
      expect(await fresh.files.list()).toEqual([]);
      await fresh.files.write("b/deep/file", "x");
      await fresh.files.write("a", "x");
      expect(namesOf(await fresh.files.list())).toEqual(["a", "b"]);
      expect(namesOf(await fresh.files.list("b"))).toEqual(["deep"]);
      const all = await fresh.files.list(".", { recursive: true });
      const { workspace } = fresh.info.paths;
      expect(all.map((entry) => entry.path).toSorted()).toEqual(
        ["a", "b", "b/deep", "b/deep/file"].map((path) => `${workspace}/${path}`),
      );
    });

    it("are listed without what links lead to", async () => {
      await files().write("loop/file", "x");
      await runOk(sandbox(), "import os; os.symlink('..', 'loop/up')");
      expect(namesOf(await files().list("loop", { recursive: true }))).toEqual(["file", "up"]);
    });

    it("are listed up to the number of entries asked for", async () => {
      await runOk(
        sandbox(),
        "import os\nos.mkdir('many')\nfor n in range(200): open(f'many/{n}', 'w').close()",
      );
      expect(await files().list("many")).toHaveLength(200);
      await expect(files().list("many", { maxEntries: 100 })).rejects.toMatchObject(
        refusal("too_many_entries"),
      );
    });

    it("are made any number of times", async () => {
      await files().mkdir("made/deep/down");
      await files().mkdir("made/deep/down");
      expect((await files().stat("made/deep/down")).kind).toBe("folder");
      await files().write("made/file", "");
      await expect(files().mkdir("made/file")).rejects.toMatchObject(refusal("already_exists"));
    });

    it("are moved, and files too", async () => {
      await files().write("from/file", "moved");
      await files().move("from/file", "moved.txt");
      expect([await files().exists("from/file"), await files().readText("moved.txt")]).toEqual([
        false,
        "moved",
      ]);
      await files().move("from", "renamed");
      expect((await files().stat("renamed")).kind).toBe("folder");
    });

    it("hold files that a move replaces only when asked", async () => {
      await files().write("source", "new");
      await files().write("target", "old");
      await expect(files().move("source", "target")).rejects.toMatchObject(refusal("already_exists"));
      expect(await files().readText("target")).toBe("old");
      await files().move("source", "target", { overwrite: true });
      expect(await files().readText("target")).toBe("new");
    });

    it("are removed with all they hold", async () => {
      await files().write("gone/deep/file", "x");
      await files().write("kept-by-link", "x");
      await runOk(sandbox(), "import os; os.symlink('../kept-by-link', 'gone/link')");
      await files().remove("gone");
      await files().remove("gone");
      expect([await files().exists("gone"), await files().exists("kept-by-link")]).toEqual([false, true]);
    });
  });
}

function namesOf(entries: readonly FileStat[]): string[] {
  return entries.map((entry) => entry.name).toSorted();
}
