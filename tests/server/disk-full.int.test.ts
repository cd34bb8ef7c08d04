import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, rmdir, statfs, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { DataFolder } from "../support/data-folder.ts";
import { describeIf } from "../support/requirements.ts";
import {
  answer as say,
  createGate,
  finish,
  reply,
  type ScriptedOpenAI,
  startScriptedOpenAI,
  text,
  waitFor,
} from "../support/scripted-openai/index.ts";
import type { ServerProcess } from "../support/server-process.ts";
import { ThreadUser } from "../support/thread-user.ts";
import { modelEnvironment, python } from "./conversation/bench.ts";

const execute = promisify(execFile);
const megabyte = 1024 * 1024;
const isRoot = process.getuid?.() === 0;

describeIf(
  { suite: "a disk that is full", missing: isRoot ? undefined : "only root can mount a small one" },
  () => {
    let disk: SmallDisk;
    let folder: DataFolder;
    let models: ScriptedOpenAI;
    let server: ServerProcess;

    beforeAll(async () => {
      disk = await SmallDisk.mount(32);
      folder = await disk.makeFolder();
      models = await startScriptedOpenAI();
      server = await folder.start({ env: modelEnvironment(models) });
    });
    afterAll(async () => {
      await disk.free();
      await folder[Symbol.asyncDispose]();
      await disk.unmount();
      await models.close();
    });

    it("refuses what it cannot keep, loses nothing that it has, and works again when there is room", async () => {
      const user = await ThreadUser.create(server.url);
      const talking = await ThreadUser.create(server.url);
      models.script(python("kept = 1"), say("Kept."));
      await user.ask("before");
      const [whole] = (await user.client.upload([{ name: "whole.csv", content: "a,b\n1,2\n" }])).files;
      const gate = createGate();
      const more = Array.from({ length: 20 }, () => text("x".repeat(100_000)));
      models.script(reply(text("Half "), waitFor(gate), ...more, finish("stop")));
      const stream = await talking.follow();
      const waiting = talking.ask("talk").then(String, (error: unknown) => error);
      await stream.untilText("Half ");

      await disk.fill();
      const freeBytes = await disk.freeBytes();
      const big = { name: "big.csv", content: new Uint8Array(4 * megabyte) };
      expect(await user.client.upload([big]).catch((error: unknown) => error)).toMatchObject(diskFull);
      expect(await disk.freeBytes()).toBeGreaterThanOrEqual(freeBytes);
      const refused = await sendUntilRefused(user);
      expect(refused.error).toMatchObject(diskFull);
      // The run cannot even store that it has failed; who waits for it is told.
      gate.open();
      expect(await waiting).toMatchObject(diskFull);
      expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
      expect(await (await fetch(`${server.url}/readyz`)).text()).toContain("disk is full");
      expect(await questionsOf(user)).toEqual(["before", ...refused.accepted]);

      await disk.free();
      const done = await stream.until("done");
      expect(done).toMatchObject({ status: "failed", response: stream.text });
      expect(stream.of("error")).toMatchObject([{ code: "disk_full", hint: expect.any(String) }]);
      models.script(python("kept + 1"), say("Two."));
      const answer = await user.ask("after");
      expect(answer).toMatchObject({ status: "completed", response: "Two." });
      expect(answer.code_runs[0]?.output).toContain("2");
      expect(await user.client.getUpload(whole?.file_id ?? "")).toEqual(whole);
      const again = (await user.client.upload([big])).files[0];
      expect(again).toMatchObject({ size_bytes: 4 * megabyte });
      await user.client.removeUpload(again?.file_id ?? "");
      expect(await questionsOf(user)).toEqual(["before", ...refused.accepted, "after"]);
    });

    it("loses nothing either when the server is killed meanwhile, and says why it cannot start", async () => {
      const user = await ThreadUser.create(server.url);
      models.script(reply(text("Half "), waitFor(createGate())));
      const stream = await user.send("talk");
      await stream.untilText("Half ");
      await disk.fill();
      await server.kill();
      const refusal = await folder.start().then(
        () => undefined,
        (error: Error) => error.message,
      );
      expect(refusal).toMatch(/^the server ended \(1\):\natoll: .*disk is full/);
      await disk.free();
      server = await folder.start({ env: modelEnvironment(models) });
      user.moveTo(server.url);
      expect((await user.log()).at(-1)).toMatchObject({
        type: "done",
        status: "interrupted",
        response: "Half ",
      });
      models.script(python("len(df)"), say("There."));
      expect((await user.ask("go on")).code_runs[0]?.output).toContain("6218");
    });
  },
);

const diskFull = {
  status: 507,
  code: "disk_full",
  message: expect.stringContaining("disk is full"),
  hint: expect.any(String),
};

async function questionsOf(user: ThreadUser): Promise<string[]> {
  return (await user.history()).filter(({ role }) => role === "user").map(({ content }) => content);
}

/** Short messages may still fit into a page that has room. */
async function sendUntilRefused(user: ThreadUser): Promise<{ accepted: string[]; error: unknown }> {
  const accepted: string[] = [];
  for (;;) {
    const message = `full ${accepted.length} ${"x".repeat(20_000)}`;
    try {
      await user.ask(message);
      accepted.push(message);
    } catch (error) {
      return { accepted, error };
    }
  }
}

class SmallDisk {
  readonly #path: string;

  static async mount(sizeMb: number): Promise<SmallDisk> {
    const path = await mkdtemp(join(tmpdir(), "atoll-disk-"));
    await execute("mount", ["-t", "tmpfs", "-o", `size=${sizeMb}m`, "tmpfs", path]);
    return new SmallDisk(path);
  }

  private constructor(path: string) {
    this.#path = path;
  }

  async makeFolder(): Promise<DataFolder> {
    const path = join(this.#path, "data");
    await mkdir(path);
    return new DataFolder(path);
  }

  async freeBytes(): Promise<number> {
    const { bavail, bsize } = await statfs(this.#path);
    return bavail * bsize;
  }

  async fill(): Promise<void> {
    const zeros = new Uint8Array(await this.freeBytes());
    await writeFile(join(this.#path, "filler"), zeros).catch(() => {});
  }

  async free(): Promise<void> {
    await rm(join(this.#path, "filler"), { force: true });
  }

  async unmount(): Promise<void> {
    await execute("umount", ["-l", this.#path]);
    await rmdir(this.#path);
  }
}
