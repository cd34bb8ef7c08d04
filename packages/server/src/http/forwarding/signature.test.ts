import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { proveBody, Signatures } from "./signature.ts";
import { UsedNonces } from "./used-nonces.ts";

const secret = randomBytes(32);
const make = (id: string, key: Uint8Array = secret) => new Signatures({ secret: key, self: () => ({ id }) });
const request = { method: "GET", target: "/thread/a", host: "localhost:8000" };
const said = { purpose: "request", isAuthenticated: true, client: "192.0.2.1", body: "none" } as const;
const api = ["request"] as const;

function sign(signatures = make("one"), to = "other"): string {
  return signatures.sign({ ...request, ...said }, { id: to }).headers[1];
}

test("a signature is good for its request, its receiver, its purpose, its secret and a minute", () => {
  expect(make("other").verify(sign(), request, api)).toMatchObject({ ...said, from: "one" });
  expect(make("other").verify(sign(), { ...request, target: "/thread/b" }, api)).toBeUndefined();
  expect(make("other").verify(sign(), { ...request, method: "DELETE" }, api)).toBeUndefined();
  expect(make("other").verify(sign(), { ...request, host: "localhost" }, api)).toBeUndefined();
  expect(make("third").verify(sign(), request, api)).toBeUndefined();
  expect(make("other").verify(sign(), request, ["preview", "upgrade", "resumption"])).toBeUndefined();
  expect(make("other", randomBytes(32)).verify(sign(), request, api)).toBeUndefined();
  for (const skewMs of [-61_000, 61_000])
    expect(make("other").verify(sign(), request, api, Date.now() + skewMs)).toBeUndefined();
});

test("nothing in a signature can be changed", () => {
  const fields = sign().split(";");
  for (const [index, field] of fields.entries()) {
    const changed = fields.with(index, field === "yes" ? "no" : `${field}x`).join(";");
    expect(make("other").verify(changed, request, api), field).toBeUndefined();
  }
  const preview = sign().replace("request;", "preview;");
  expect(make("other").verify(preview, request, ["preview"])).toBeUndefined();
  for (const junk of ["", ";;;;;;;", "request", `${sign()};`, `${sign()}, ${sign()}`])
    expect(make("other").verify(junk, request, api)).toBeUndefined();
});

test("a signature works once", () => {
  const other = make("other");
  const value = sign();
  expect(other.verify(value, request, api)).toBeDefined();
  expect(other.verify(value, request, api)).toBeUndefined();
});

test("a body is signed with its content", () => {
  const body = proveBody(Buffer.from("{}"));
  expect(body).not.toBe(proveBody(Buffer.from("[]")));
  expect(proveBody(undefined)).toBe("none");
});

test("an answer is proved by the server that was asked, for that request", () => {
  const [one, other] = [make("one"), make("other")];
  const signed = one.sign({ ...request, ...said }, { id: "other" });
  const { answerProof } = other.verify(signed.headers[1], request, api) ?? {};
  expect(signed.isAnswered(answerProof)).toBe(true);
  expect(one.sign({ ...request, ...said }, { id: "other" }).isAnswered(answerProof)).toBe(false);
  for (const wrong of [undefined, "", [answerProof ?? ""]]) expect(signed.isAnswered(wrong)).toBe(false);
});

test("nonces are remembered for as long as they could be used again, and no longer", () => {
  const nonces = new UsedNonces({ validMs: 60_000, maxKept: 3 });
  expect(nonces.use("a", 100_000, 100_000)).toBe(true);
  expect(nonces.use("a", 100_000, 159_999)).toBe(false);
  expect(nonces.use("b", 160_000, 160_000)).toBe(true);
  expect(nonces.use("c", 190_000, 190_000)).toBe(true);
  expect([nonces.count, nonces.use("d", 190_000, 190_000)]).toEqual([2, true]);
  // Full: it refuses rather than forgets.
  expect(nonces.use("e", 190_000, 190_000)).toBe(false);
  // A clock that is set back brings nothing back.
  expect(nonces.use("a", 100_000, 100_000)).toBe(false);
});
