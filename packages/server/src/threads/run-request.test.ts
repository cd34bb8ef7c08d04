import { createHash } from "node:crypto";
import { AtollError, type Sandbox } from "@atoll/sandbox";
import { describe, expect, it, onTestFinished } from "vitest";
import { makeHarness, outcome } from "./threads.harness.ts";

const content = Buffer.from("a,b\n1,2\n");
const hash = createHash("sha256").update(content).digest("hex");
const artifact = { path: "/workspace/out.csv", hash, sizeBytes: content.byteLength, mime: "text/csv" };

describe("an artifact", () => {
  it("is copied and stays when the sandbox is gone", async () => {
    expect(await keep({ artifact, content })).toEqual({
      url: `/thread/thread_0/blobs/${hash}`,
      copy: content,
    });
  });

  it.each([
    ["larger than a copy may be", { artifact, content, limits: { maxArtifactBytes: 7 } }],
    [
      "that grew since",
      { artifact: { ...artifact, sizeBytes: 1 }, content, limits: { maxArtifactBytes: 7 } },
    ],
    ["that is another by now", { artifact, content: Buffer.from("changed") }],
    ["that is gone", { artifact, content: new AtollError("not_found", "no such file") }],
    ["of a thread that holds enough", { artifact, content, limits: { maxKeptBytes: 7 } }],
  ])("%s has no copy, and the run goes on", async (_, given) => {
    expect(await keep(given)).toEqual({ url: "undefined", copy: undefined });
  });
});

async function keep(given: {
  artifact: typeof artifact;
  content: Uint8Array | AtollError;
  limits?: { maxArtifactBytes?: number; maxKeptBytes?: number };
}): Promise<{ url: string; copy: Buffer | undefined }> {
  const sandbox = { files: { readStream: () => streamOf(given.content) } } as unknown as Sandbox;
  const harness = await makeHarness(
    onTestFinished,
    async (request) => outcome(String(await request.keepArtifact(sandbox, given.artifact))),
    given.limits ? { limits: given.limits } : {},
  );
  const threadId = await harness.newThread();
  const { status, response } = await harness.ask(threadId, "go");
  expect(status).toBe("completed");
  const copy = harness.store.blobs.stat(threadId, hash) && harness.store.blobs.read(threadId, hash);
  return { url: response, copy: copy && Buffer.from(await new Response(copy).arrayBuffer()) };
}

function streamOf(content: Uint8Array | AtollError): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      if (content instanceof AtollError) return controller.error(content);
      controller.enqueue(new Uint8Array(content));
      controller.close();
    },
  });
}
