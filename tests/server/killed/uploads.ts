import { execFile } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { join } from "node:path";
import { promisify } from "node:util";
import { AtollClient } from "@atoll/client";
import { describe, expect, it, vi } from "vitest";
import { answer as say } from "../../support/scripted-openai/index.ts";
import { SlowUpload } from "../../support/slow-upload.ts";
import { ThreadUser } from "../../support/thread-user.ts";
import type { Bench } from "./bench.ts";

const execute = promisify(execFile);
const megabyte = 1024 * 1024;

export function describeUploads(bench: () => Bench): void {
  describe("a server that is killed in the middle of uploads", () => {
    it("has those that it acknowledged in whole, and nothing of the others", async () => {
      const { folder, models, start } = bench();
      models.always(say("All done."));
      const server = await start();
      const client = new AtollClient({ baseUrl: server.url });
      const whole = [1, 3 * megabyte + 1].map((size) => randomBytes(size));
      const kept = await Promise.all(
        whole.map(
          async (content, index) => (await client.upload([{ name: `${index}.bin`, content }])).files[0],
        ),
      );
      const user = await ThreadUser.create(server.url);

      const marker = `half-${randomBytes(8).toString("hex")}`;
      const holders = async () => (await findHolders(folder.path, marker)).length;
      const begin = async (url: string) => {
        const upload = new SlowUpload(url, "half.txt");
        await upload.write(`${marker}\n${"x".repeat(8 * megabyte)}`);
        return upload;
      };
      const halves = await Promise.all([
        begin(`${server.url}/upload`),
        begin(`${server.url}/upload`),
        begin(`${user.url}/files`),
      ]);
      // All three have reached the disk.
      await vi.waitFor(async () => expect(await holders()).toBeGreaterThanOrEqual(halves.length), 90_000);
      await server.kill();

      const next = await start();
      user.moveTo(next.url);
      expect(await findHolders(join(folder.path, "server"), marker)).toEqual([]);
      for (const [index, file] of kept.entries()) {
        const content = whole[index] ?? Buffer.alloc(0);
        const sha256 = createHash("sha256").update(content).digest("hex");
        expect(file).toMatchObject({ size_bytes: content.length, sha256 });
        expect(await user.client.getUpload(file?.file_id ?? "")).toEqual(file);
        const onDisk = join(folder.path, "server/uploads", file?.file_id ?? "");
        expect((await execute("sha256sum", [onDisk])).stdout).toContain(sha256);
      }
      const { files } = await user.client.threads
        .files(user.threadId)
        .list("/workspace", { recursive: true });
      expect(JSON.stringify(files)).not.toContain("half");
      expect(await holders()).toBe(0);
    });
  });
}

/** Files that hold the text, wherever below the folder. */
async function findHolders(folder: string, text: string): Promise<string[]> {
  const found = await execute("grep", ["-rlsF", text, folder]).catch((error: { stdout: string }) => error);
  return found.stdout.split("\n").filter((line) => line !== "");
}
