import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DockerLayout, type Home } from "./container-folders.ts";
import { moveBack, moveIn } from "./join.ts";

const id = "thread-1";

describe("files that move to a running container", () => {
  let dataDir = "";
  let layout: DockerLayout;
  let home: Home;

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "atoll-join-"));
    layout = new DockerLayout(dataDir, undefined);
    await layout.prepare();
    home = layout.newHome();
    await home.prepare("pinned");
    const kept = layout.home(id);
    await kept.prepare("pinned");
    await mkdir(kept.path("workspace/deep"));
    await writeFile(kept.path("workspace/deep/file"), "kept");
    await writeFile(kept.path("session/artifacts/plot"), "kept too");
  });
  afterEach(() => rm(dataDir, { recursive: true, force: true }));

  const expectFiles = async () => {
    const sandbox = layout.home(id);
    expect(await readFile(sandbox.path("workspace/deep/file"), "utf8")).toBe("kept");
    expect(await readFile(sandbox.path("session/artifacts/plot"), "utf8")).toBe("kept too");
  };

  it("are all there, and nothing else is left", async () => {
    await writeFile(home.path("container.json"), "{}");
    await moveIn(layout, id, home);
    await expectFiles();
    expect(await readdir(layout.sandbox(id))).toEqual(
      expect.arrayContaining(["container.json", "workspace"]),
    );
    expect(await layout.parkedHomes()).toEqual([]);
    expect((await readdir(layout.sandbox(id))).filter((name) => /left|joining/.test(name))).toEqual([]);
  });

  it("come back when the process died among them", async () => {
    await writeFile(home.path("joining"), id);
    await rename(layout.home(id).path("workspace/deep"), home.path("workspace/deep"));
    await moveBack(layout, home);
    await expectFiles();
  });

  it("come back when the process died between the two renames of the folders", async () => {
    await writeFile(home.path("joining"), id);
    await rename(layout.home(id).path("workspace/deep"), home.path("workspace/deep"));
    await rename(layout.home(id).path("session/artifacts"), home.path("session/artifacts"));
    await rename(layout.sandbox(id), home.path("left"));
    await moveBack(layout, home);
    await expectFiles();
  });

  it("stay where they are when none were moving", async () => {
    await moveBack(layout, home);
    await expectFiles();
  });
});
