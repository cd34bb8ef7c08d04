import { randomBytes } from "node:crypto";
import type { Files } from "@atoll/sandbox";
import { expect, onTestFinished, test } from "vitest";
import { expectSoon } from "../../../../../tests/support/time-budget.ts";
import { makeTestServer } from "../test-server.harness.ts";
import { describeContent, sniffImage } from "./content-types.ts";
import { parseRange } from "./ranged.ts";
import { safeName, zipFolders } from "./zip.ts";

test.each([
  [undefined, undefined],
  ["bytes=0-3", { start: 0, end: 3 }],
  ["bytes=4-", { start: 4, end: 9 }],
  ["bytes=-3", { start: 7, end: 9 }],
  ["bytes=-99", { start: 0, end: 9 }],
  ["bytes=0-99", { start: 0, end: 9 }],
  ["bytes=10-", "unsatisfiable"],
  ["bytes=-0", "unsatisfiable"],
  ["bytes=5-2", undefined],
  ["bytes=0-1,3-4", undefined],
  ["lines=0-1", undefined],
  ["bytes=-", undefined],
])("the range %s of ten bytes is %o", (header, range) => {
  expect(parseRange(header, 10)).toEqual(range);
});

test("any range of an empty file is the whole of it", () => {
  expect(parseRange("bytes=0-99", 0)).toBeUndefined();
});

test("a blob is given in whole, in part, or not at all when nothing changed", async () => {
  const { ask, newThread, store } = await makeTestServer(onTestFinished);
  const id = await newThread();
  const hash = store.blobs.put(id, Buffer.from("0123456789"));
  const path = `/thread/${id}/blobs/${hash}`;
  const whole = await ask(path);
  expect([whole.status, await whole.text()]).toEqual([200, "0123456789"]);
  expect(whole.headers.get("cache-control")).toContain("immutable");
  expect(whole.headers.get("content-disposition")).toBe("attachment");
  const part = await ask(path, { headers: { range: "bytes=2-4" } });
  expect([part.status, await part.text(), part.headers.get("content-range")]).toEqual([
    206,
    "234",
    "bytes 2-4/10",
  ]);
  const none = await ask(path, { headers: { range: "bytes=10-" } });
  expect([none.status, none.headers.get("content-range")]).toEqual([416, "bytes */10"]);
  expect((await ask(path, { headers: { "if-none-match": `"${hash}"` } })).status).toBe(304);
  const stale = await ask(path, { headers: { range: "bytes=2-4", "if-range": '"other"' } });
  expect([stale.status, await stale.text()]).toEqual([200, "0123456789"]);
  const head = await ask(path, { method: "HEAD" });
  expect([head.status, head.headers.get("content-length"), await head.text()]).toEqual([200, "10", ""]);
});

test("images are shown, pages and what is unknown are downloads, and nothing of them can run", async () => {
  const { ask, newThread, store } = await makeTestServer(onTestFinished);
  const id = await newThread();
  const put = (content: string | Buffer) =>
    `/thread/${id}/blobs/${store.blobs.put(id, Buffer.from(content))}`;
  const png = await ask(put(Buffer.from("89504e470d0a1a0a00", "hex")));
  expect([png.headers.get("content-type"), png.headers.get("content-disposition")]).toEqual([
    "image/png",
    "inline",
  ]);
  const svg = await ask(put("<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"));
  expect(svg.headers.get("content-type")).toBe("image/svg+xml");
  expect(svg.headers.get("content-security-policy")).toMatch(/^sandbox; default-src 'none'/);
  const page = await ask(`${put("<h1>hi</h1>")}?name=page.html`);
  expect(page.headers.get("content-disposition")).toMatch(/^attachment/);
  expect(page.headers.get("content-security-policy")).toMatch(/^sandbox/);
  expect(page.headers.get("x-content-type-options")).toBe("nosniff");
});

test("names go into headers whole and harmless", () => {
  const disposition = describeContent("a\"b\r\nX: y\\ü%'(1).csv")["content-disposition"];
  expect(disposition).toBe(
    `inline; filename="a_b__X: y___'(1).csv"; filename*=UTF-8''a%22b__X%3A%20y%5C%C3%BC%25%27%281%29.csv`,
  );
  expect(describeContent("\ud800.png")["content-type"]).toBe("image/png");
});

test("only real images are taken for images", () => {
  expect(sniffImage(Buffer.from("<html><svg></svg></html>"))).toBeUndefined();
  expect(sniffImage(Buffer.from("RIFF....WEBPxx"))).toBe("image/webp");
  expect(sniffImage(Buffer.alloc(0))).toBeUndefined();
});

test("names in a zip lead nowhere else", () => {
  expect(safeName("a/../../etc/passwd")).toBe("a/__/__/etc/passwd");
  expect(safeName("/abs\\win:dows\n")).toBe("abs_win_dows_");
  expect(safeName("")).toBe("_");
});

test("a zip closes the file it reads when its reader cancels", async () => {
  const { promise: isClosed, resolve: close } = Promise.withResolvers<void>();
  async function* endless() {
    try {
      for (;;) yield randomBytes(100_000);
    } finally {
      close();
    }
  }
  const files = {
    list: async () => [{ path: "/workspace/a", kind: "file", modifiedAt: new Date(0).toISOString() }],
    readStream: () => ReadableStream.from(endless()),
  } as unknown as Files;
  const reader = (await zipFolders(files, ["/workspace"], new AbortController().signal)).getReader();
  await reader.read();
  await reader.cancel();
  await expectSoon(isClosed, "the file is closed");
});
