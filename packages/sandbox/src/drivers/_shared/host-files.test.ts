import { execFileSync, spawn } from "node:child_process";
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Home } from "../docker/container-folders.ts";
import { readOwnFile, removeTree } from "./host-files.ts";
import { Layout } from "./layout.ts";

const isRoot = process.getuid?.() === 0;
const stranger = { uid: 61_234, gid: 61_234 };

let folder = "";
let victim = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "atoll-host-files-"));
  victim = join(folder, "victim");
  mkdirSync(join(victim, "inner"), { recursive: true });
  writeFileSync(join(victim, "file"), "kept");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("what the host does in a sandbox's folder", () => {
  it.runIf(isRoot)("gives no folder away to which a sandbox's artifacts were linked", async () => {
    const home = new Home(join(folder, "home"), stranger);
    await home.prepare("pinned");
    rmSync(home.path("session/artifacts"), { recursive: true });
    symlinkSync(victim, home.path("session/artifacts"));
    await home.prepare("pinned");
    expect(statSync(victim).uid).toBe(0);
    const artifacts = lstatSync(home.path("session/artifacts"));
    expect([artifacts.isDirectory(), artifacts.uid]).toEqual([true, stranger.uid]);
  });

  it("makes a folder again where code has put a file, or a link to nothing", async () => {
    for (const put of [
      (path: string) => writeFileSync(path, ""),
      (path: string) => symlinkSync("/none", path),
    ]) {
      const home = new Home(join(folder, "home"), undefined);
      await home.prepare("pinned");
      rmSync(home.path("session/artifacts"), { recursive: true });
      put(home.path("session/artifacts"));
      await home.prepare("pinned");
      expect(lstatSync(home.path("session/artifacts")).isDirectory()).toBe(true);
    }
  });

  it.runIf(isRoot)("writes a sandbox's facts through no link, and gives no file away", async () => {
    const layout = new Layout(folder, "local", stranger);
    mkdirSync(layout.sandbox("a"), { recursive: true });
    symlinkSync(join(victim, "file"), join(layout.sandbox("a"), "info.json.new"));
    await layout.writeInfo({ id: "a" } as Parameters<Layout["writeInfo"]>[0]);
    expect([readFileSync(join(victim, "file"), "utf8"), statSync(join(victim, "file")).uid]).toEqual([
      "kept",
      0,
    ]);
    expect(await layout.readInfo("a")).toEqual({ id: "a" });
    rmSync(layout.sandbox("a"), { recursive: true });
    symlinkSync(victim, layout.sandbox("a"));
    await expect(layout.writeInfo({ id: "a" } as Parameters<Layout["writeInfo"]>[0])).rejects.toThrow();
    expect(existsSync(join(victim, "info.json"))).toBe(false);
  });

  it("reads neither through a link nor from a FIFO", async () => {
    symlinkSync(join(victim, "file"), join(folder, "link"));
    execFileSync("mkfifo", [join(folder, "fifo")]);
    for (const name of ["link", "fifo", "victim", "absent"])
      expect(await readOwnFile(join(folder, name), 10)).toBeUndefined();
    expect(await readOwnFile(join(victim, "file"), 3)).toBe("kep");
  });
});

describe("removing a tree", () => {
  it("removes links, not what they lead to", async () => {
    const tree = join(folder, "tree");
    mkdirSync(join(tree, "a/b"), { recursive: true });
    for (const name of ["link", "a/link", "a/b/link"]) symlinkSync(victim, join(tree, name));
    await removeTree(tree);
    expect([existsSync(tree), existsSync(join(victim, "inner"))]).toEqual([false, true]);
    symlinkSync(victim, tree);
    await removeTree(tree);
    expect([existsSync(tree), existsSync(join(victim, "inner"))]).toEqual([false, true]);
    await removeTree(tree);
  });

  it("removes folders in folders, deeper than any path may be long", async () => {
    const tree = join(folder, "tree");
    mkdirSync(tree);
    const deepen = "import os\nfor n in range(1000):\n os.mkdir('d' * 100)\n os.chdir('d' * 100)";
    execFileSync("python3", ["-c", deepen], { cwd: tree });
    await removeTree(tree);
    expect(existsSync(tree)).toBe(false);
  });

  it("removes nothing elsewhere while code swaps folders for links", async () => {
    const tree = join(folder, "tree");
    const swap = `
import os, sys
victim, end = sys.argv[1], os.getppid()
while os.getppid() == end:
    try:
        os.makedirs("s/inner"); os.symlink(victim, "l")
        while True:
            os.rename("s", "t"); os.rename("l", "s"); os.rename("s", "l"); os.rename("t", "s")
    except OSError:
        if not os.path.isdir("."): break
        for name in ("s", "t", "l"):
            try: os.unlink(name)
            except OSError: pass
`;
    for (let round = 0; round < 10; round += 1) {
      mkdirSync(tree);
      const swapper = spawn("python3", ["-c", swap, victim], { cwd: tree, stdio: "ignore" });
      await expect
        .poll(() => existsSync(join(tree, "s/inner")) || existsSync(join(tree, "t/inner")))
        .toBe(true);
      await removeTree(tree).catch(() => {});
      swapper.kill("SIGKILL");
      await new Promise((resolve) => swapper.once("close", resolve));
      await removeTree(tree);
      expect([existsSync(join(victim, "inner")), readFileSync(join(victim, "file"), "utf8")]).toEqual([
        true,
        "kept",
      ]);
    }
  });
});
