import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { evaluate, py, runOk } from "../run-code.ts";
import { refusal, type Suite } from "../suite.ts";

const MiB = 1024 * 1024;

export function describeTransfers({ share }: Suite): void {
  describe("transfers", () => {
    const sandbox = share();
    const files = () => sandbox().files;

    it("carry 64 MB unchanged, both ways", async () => {
      const sent = createHash("sha256");
      const stat = await files().write("large.bin", chunks(64, sent));
      expect(stat.sizeBytes).toBe(64 * MiB);
      const hash = sent.digest("hex");

      const code = "import hashlib; hashlib.sha256(open('large.bin', 'rb').read()).hexdigest()";
      expect(await evaluate(sandbox(), code)).toBe(`'${hash}'`);

      const received = createHash("sha256");
      for await (const chunk of files().readStream("large.bin")) received.update(chunk);
      expect(received.digest("hex")).toBe(hash);
    });

    it("take any kind of stream", async () => {
      const web = new ReadableStream<Uint8Array>({
        start(controller) {
          controller.enqueue(Buffer.from("web "));
          controller.enqueue(new Uint8Array());
          controller.enqueue(Buffer.from("stream"));
          controller.close();
        },
      });
      await files().write("web", web);
      expect(await files().readText("web")).toBe("web stream");
      await files().write("none", new ReadableStream({ start: (controller) => controller.close() }));
      expect((await files().stat("none")).sizeBytes).toBe(0);
    });

    it("append streams", async () => {
      await files().write("growing", "start ");
      await files().write("growing", chunks(2), { append: true });
      expect((await files().stat("growing")).sizeBytes).toBe(6 + 2 * MiB);
      expect(await files().readText("growing", { length: 6 })).toBe("start ");
    });

    it.each([
      [{ offset: 3 }, "3456789"],
      [{ length: 4 }, "0123"],
      [{ offset: 3, length: 4 }, "3456"],
      [{ offset: 8, length: 100 }, "89"],
      [{ offset: 10 }, ""],
      [{ offset: 1000, length: 1 }, ""],
      [{ length: 0 }, ""],
    ])("read the range %j", async (range, expected) => {
      await files().write("digits", "0123456789");
      expect(await files().readText("digits", range)).toBe(expected);
      expect(Buffer.from(await files().read("digits", range)).toString()).toBe(expected);
      expect((await gather(files().readStream("digits", range))).toString()).toBe(expected);
    });

    it("replace a file in one step", async () => {
      await files().write("replaced", "old content");
      await runOk(sandbox(), "reader = open('replaced')");
      await files().write("replaced", "new content, and more of it");
      // Whoever had it open still sees the old file whole; whoever opens it now sees the new one.
      expect(await evaluate(sandbox(), "reader.read()")).toBe("'old content'");
      expect(await evaluate(sandbox(), "open('replaced').read()")).toBe("'new content, and more of it'");
    });

    it("leave the old file and nothing else when the source fails", async () => {
      await files().write("failing/file", "old");
      await expect(files().write("failing/file", brokenSource())).rejects.toThrow();
      expect(await files().readText("failing/file")).toBe("old");
      expect((await files().list("failing")).map((entry) => entry.name)).toEqual(["file"]);
    });

    it("leave the old file and nothing else when they are aborted", async () => {
      const abort = new AbortController();
      await files().write("aborting/file", "old");
      const source = (async function* () {
        yield new Uint8Array(MiB);
        abort.abort();
        yield new Uint8Array(MiB);
      })();
      await expect(files().write("aborting/file", source, { signal: abort.signal })).rejects.toMatchObject(
        refusal("aborted"),
      );
      expect(await files().readText("aborting/file")).toBe("old");
      expect((await files().list("aborting")).map((entry) => entry.name)).toEqual(["file"]);
    });

    it("can be left half way", async () => {
      await files().write("left.bin", chunks(8));
      for await (const chunk of files().readStream("left.bin")) {
        expect(chunk.length).toBeGreaterThan(0);
        break;
      }
      const abort = new AbortController();
      const reading = gather(files().readStream("left.bin", { signal: abort.signal }));
      abort.abort();
      await reading.catch(() => undefined);
      expect((await files().stat("left.bin")).sizeBytes).toBe(8 * MiB);
    });

    it("report a missing file and a folder through the stream", async () => {
      await expect(gather(files().readStream("missing"))).rejects.toMatchObject(refusal("not_found"));
      await expect(gather(files().readStream("."))).rejects.toMatchObject(refusal("not_a_file"));
    });

    it("run side by side", async () => {
      const names = ["one", "two", "three", "four"];
      await Promise.all(names.map((name) => files().write(`parallel/${name}`, name.repeat(300_000))));
      const texts = await Promise.all(names.map((name) => files().readText(`parallel/${name}`)));
      expect(texts.map((text, n) => text === names[n]?.repeat(300_000))).toEqual([true, true, true, true]);
    });

    it("do not wait for a run", async () => {
      await files().write("during", "x".repeat(MiB));
      const code = `import os, time\nwhile os.path.exists(${py("during")}): time.sleep(0.005)`;
      const run = sandbox().python.run(code, { timeoutMs: 30_000 });
      await files().remove("during");
      expect((await run).status).toBe("ok");
    });
  });
}

/** This many MiB, each of them different. */
async function* chunks(count: number, hash = createHash("sha256")): AsyncIterable<Uint8Array> {
  const chunk = Buffer.from(Uint8Array.from({ length: MiB }, (_, n) => (n * 2654435761) >>> 13));
  for (let n = 0; n < count; n++) {
    chunk.writeUInt32LE(n, 0);
    hash.update(chunk);
    yield Uint8Array.from(chunk);
  }
}

async function* brokenSource(): AsyncIterable<Uint8Array> {
  yield new Uint8Array(2 * MiB);
  throw new Error("the source broke");
}

async function gather(stream: ReadableStream<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const chunk of stream) parts.push(chunk);
  return Buffer.concat(parts);
}
