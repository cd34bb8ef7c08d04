import { posix } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { FileChange } from "../../contract/files.ts";
import type { Sandbox } from "../../contract/sandbox.ts";
import { runOk } from "../run-code.ts";
import { refusal, type Suite } from "../suite.ts";

export function describeWatch({ share }: Suite): void {
  describe("files.watch", () => {
    const sandbox = share();

    it("tells of files made, changed and removed", async () => {
      const changes = await startWatching(sandbox(), "watched");
      await sandbox().files.write("watched/new.txt", "one");
      await changes.include("created", "watched/new.txt");
      await runOk(sandbox(), "open('watched/new.txt', 'a').write('two')");
      await changes.include("changed", "watched/new.txt");
      await sandbox().files.remove("watched/new.txt");
      await changes.include("removed", "watched/new.txt");
    });

    it("tells of what happens in folders below, also in new ones", async () => {
      const changes = await startWatching(sandbox(), "tree");
      await runOk(
        sandbox(),
        "import os\nos.makedirs('tree/new/deep')\nopen('tree/new/deep/file', 'w').write('x')",
      );
      await changes.include("created", "tree/new/deep/file");
    });

    it("tells of a move as removed and created", async () => {
      const changes = await startWatching(sandbox(), "moving");
      await sandbox().files.write("moving/old", "x");
      await changes.include("created", "moving/old");
      await sandbox().files.move("moving/old", "moving/new");
      await changes.include("removed", "moving/old");
      await changes.include("created", "moving/new");
    });

    it("ends when the signal aborts", async () => {
      const abort = new AbortController();
      const changes = await startWatching(sandbox(), "ending", abort);
      let hasEnded = false;
      void changes.ended.then(() => (hasEnded = true));
      abort.abort();
      await expect.poll(() => hasEnded).toBe(true);
    });

    it("needs a folder", async () => {
      const first = (path: string) => sandbox().files.watch(path)[Symbol.asyncIterator]().next();
      await expect(first("missing")).rejects.toMatchObject(refusal("not_found"));
      await sandbox().files.write("plain-file", "");
      await expect(first("plain-file")).rejects.toMatchObject(refusal("not_a_folder"));
    });
  });
}

interface Changes {
  readonly ended: Promise<void>;
  include(kind: FileChange["kind"], path: string): Promise<void>;
}

/** Resolves once the watch is known to be at work: it has told of a first change. */
async function startWatching(
  sandbox: Sandbox,
  folder: string,
  abort = new AbortController(),
): Promise<Changes> {
  const { workspace } = sandbox.info.paths;
  const seen: string[] = [];
  await sandbox.files.mkdir(folder);
  const ended = (async () => {
    for await (const change of sandbox.files.watch(folder, { signal: abort.signal })) {
      seen.push(`${change.kind} ${posix.relative(workspace, posix.resolve(workspace, folder, change.path))}`);
    }
  })();
  ended.catch(() => undefined);
  onTestFinished(() => abort.abort());

  let attempt = 0;
  await vi.waitFor(async () => {
    await sandbox.files.write(`${folder}/probe-${attempt++}`, "");
    expect(seen).not.toEqual([]);
  }, 90_000);
  return {
    ended,
    include: (kind, path) => vi.waitFor(() => expect(seen).toContain(`${kind} ${path}`), 90_000),
  };
}
