import { randomBytes } from "node:crypto";
import { expect, test, vi } from "vitest";
import { openRecord, sealRecord } from "./server-record.ts";

const secret = randomBytes(32);
const record = { id: "one", url: "http://127.0.0.1:8000", machine: "here", startedAt: "now" };

test("a record says who sealed it, and nothing in it can be changed", () => {
  const sealed = sealRecord(record, secret, 15_000);
  expect(openRecord(sealed, secret)).toEqual(record);
  expect(openRecord(sealed, randomBytes(32))).toBeUndefined();
  for (const change of [
    { id: "two" },
    { url: "http://evil.example" },
    { machine: "there" },
    { goodUntilMs: Date.now() + 1e9 },
  ])
    expect(openRecord(JSON.stringify({ ...JSON.parse(sealed), ...change }), secret)).toBeUndefined();
});

test("an old record is nobody's", () => {
  const sealed = sealRecord(record, secret, 15_000);
  vi.useFakeTimers({ now: Date.now() + 76_000 });
  expect(openRecord(sealed, secret)).toBeUndefined();
  vi.useRealTimers();
});

test("whatever else Redis gives is no record", () => {
  for (const junk of [undefined, null, 1, "", "{", "[]", "null", '{"id":{}}', JSON.stringify(record)])
    expect(openRecord(junk, secret)).toBeUndefined();
});
