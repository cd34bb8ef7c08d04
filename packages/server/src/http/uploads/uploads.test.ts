import { createHash } from "node:crypto";
import { request } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { errorSchema, uploadResultSchema } from "@atoll/protocol/schemas";
import { readAs } from "../read-as.harness.ts";
import { makeTestServer } from "../test-server.harness.ts";

function formOf(files: Readonly<Record<string, string | Uint8Array<ArrayBuffer>>>): FormData {
  const form = new FormData();
  for (const [name, content] of Object.entries(files)) form.append("files", new Blob([content]), name);
  return form;
}

test("many files are taken at once, with size and hash, and can be looked up and removed", async () => {
  const { listen } = await makeTestServer(onTestFinished);
  const { url } = await listen();
  const large = Buffer.alloc(5_000_000, "Atoll");
  const body = formOf({ "sales ä.csv": "a,b\n1,2\n", "../../etc/passwd": "x", "large.bin": large });
  const result = await readAs(uploadResultSchema, fetch(`${url}/upload`, { method: "POST", body }));
  expect(result.message).toBe("Uploaded 3 files");
  expect(result.files.map(({ filename, size_bytes }) => [filename, size_bytes])).toEqual([
    ["sales ä.csv", 8],
    ["passwd", 1],
    ["large.bin", 5_000_000],
  ]);
  expect(result.files[2]?.sha256).toBe(createHash("sha256").update(large).digest("hex"));
  const path = `${url}/files/${result.files[0]?.file_id}`;
  expect(await (await fetch(path)).json()).toEqual(result.files[0]);
  expect(await (await fetch(path, { method: "DELETE" })).json()).toEqual({ removed: true });
  expect((await fetch(path)).status).toBe(404);
});

test("a file that is too large fails the whole upload, and nothing of it stays", async () => {
  const { ask, store } = await makeTestServer(onTestFinished, { config: { maxUploadBytes: 1000 } });
  const kept: string[] = [];
  const { receive } = store.uploads;
  store.uploads.receive = async (...given) => {
    const record = await receive.apply(store.uploads, given);
    kept.push(record.fileId);
    return record;
  };
  const body = formOf({ "small.txt": "ok", "big.txt": "x".repeat(2000) });
  const refused = await ask("/upload", { method: "POST", body });
  expect([refused.status, (await readAs(errorSchema, refused)).code]).toEqual([413, "too_large"]);
  expect(await Promise.all(kept.map((fileId) => store.uploads.get(fileId)))).toEqual([undefined]);
});

test("an empty file is passed over, and the others are taken", async () => {
  const { ask } = await makeTestServer(onTestFinished);
  const result = await readAs(
    uploadResultSchema,
    ask("/upload", { method: "POST", body: formOf({ "a.txt": "a", "empty.txt": "" }) }),
  );
  expect([result.files.length, result.errors]).toMatchObject([
    1,
    [{ filename: "empty.txt", code: "invalid_argument" }],
  ]);
});

test.each([
  ["no form", { headers: { "content-type": "application/json" }, body: "{}" }, 415],
  ["a form without a boundary", { headers: { "content-type": "multipart/form-data" }, body: "x" }, 415],
  [
    "a form that is cut off",
    {
      headers: { "content-type": "multipart/form-data; boundary=b" },
      body: '--b\r\nContent-Disposition: form-data; name="files"; filename="a"\r\n\r\nabc',
    },
    400,
  ],
  [
    "a form of garbage",
    { headers: { "content-type": "multipart/form-data; boundary=b" }, body: "\0\0\0" },
    400,
  ],
  [
    "a form without files",
    {
      headers: { "content-type": "multipart/form-data; boundary=b" },
      body: '--b\r\nContent-Disposition: form-data; name="x"\r\n\r\n1\r\n--b--\r\n',
    },
    400,
  ],
  ["nothing at all", {}, 415],
])("%s is refused as JSON", async (_name, init, status) => {
  const { ask } = await makeTestServer(onTestFinished);
  const response = await ask("/upload", { method: "POST", ...init });
  await readAs(errorSchema, response);
  expect(response.status).toBe(status);
});

test("an upload that breaks off leaves nothing behind, and the server goes on", async () => {
  const { listen, store } = await makeTestServer(onTestFinished);
  const { url, port } = await listen();
  const started = Promise.withResolvers<{ outcome: Promise<unknown> }>();
  const { receive } = store.uploads;
  store.uploads.receive = (...given) => {
    const receiving = receive.apply(store.uploads, given);
    started.resolve({ outcome: receiving.catch((error: unknown) => error) });
    return receiving;
  };
  const sent = request({
    port,
    method: "POST",
    path: "/upload",
    headers: { "content-type": "multipart/form-data; boundary=b", "content-length": 1_000_000 },
  });
  sent.on("error", () => {});
  sent.write('--b\r\nContent-Disposition: form-data; name="files"; filename="a.csv"\r\n\r\n');
  sent.write("x".repeat(100_000));
  const { outcome } = await started.promise;
  sent.destroy();
  expect(await outcome).toBeInstanceOf(Error);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
});
