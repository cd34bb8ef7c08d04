import { expect, it } from "vitest";
import type { EgressOptions } from "../contract/network.ts";
import { checkEgress } from "./egress-options.ts";
import { normaliseHost } from "./host.ts";
import { checkPolicy, narrowPolicy, readPolicy } from "./policy.ts";

it.each([
  ["Example.COM", "example.com"],
  ["example.com.", "example.com"],
  ["bücher.example", "xn--bcher-kva.example"],
  ["2130706433", "127.0.0.1"],
  ["0x7f.1", "127.0.0.1"],
  ["0177.0.0.1", "127.0.0.1"],
  ["127.1", "127.0.0.1"],
  ["::1", "::1"],
  ["::ffff:127.0.0.1", "::ffff:7f00:1"],
  ["", undefined],
  ["a b", undefined],
  ["user@host", undefined],
  ["host/path", undefined],
  ["host:80", undefined],
  ["a".repeat(300), undefined],
])("%s is the host %s", (written, host) => {
  expect(normaliseHost(written)).toBe(host);
});

it("an allow list names hosts, all below one, and other ports than the usual", () => {
  const isAllowed = readPolicy({ allow: ["example.com", "*.example.org", "git.example.net:8443"] });
  const allowed = [
    ["example.com", 443],
    ["example.com", 80],
    ["a.example.org", 443],
    ["a.b.example.org", 80],
    ["git.example.net", 8443],
  ] as const;
  const refused = [
    ["www.example.com", 443],
    ["example.com", 22],
    ["example.org", 443],
    ["evilexample.org", 443],
    ["example.org.evil.com", 443],
    ["git.example.net", 443],
    ["127.0.0.1", 80],
  ] as const;
  expect(allowed.filter(([host, port]) => !isAllowed({ host, port }))).toEqual([]);
  expect(refused.filter(([host, port]) => isAllowed({ host, port }))).toEqual([]);
});

it("all-public still means the ports of the web, and none means none", () => {
  expect(readPolicy("all-public")({ host: "example.com", port: 443 })).toBe(true);
  expect(readPolicy("all-public")({ host: "example.com", port: 25 })).toBe(false);
  expect(readPolicy("none")({ host: "example.com", port: 443 })).toBe(false);
});

it.each([
  "everything",
  null,
  {},
  { allow: "example.com" },
  { allow: [7] },
  { allow: [""] },
  { allow: ["*"] },
  { allow: ["*.*"] },
  { allow: ["a.*.com"] },
  { allow: ["*.10.0.0.1"] },
  { allow: ["https://example.com"] },
  { allow: ["example.com:0"] },
  { allow: ["example.com:70000"] },
  { allow: Array.from({ length: 501 }, (_, at) => `h${at}.example`) },
])("refuses %j", (policy) => {
  expect(() => checkPolicy(policy)).toThrow(expect.objectContaining({ code: "invalid_argument" }));
});

const wide = { allow: ["*.example.com", "git.example.org:8443", "other.test"] };
it.each([
  ["none", wide, "none"],
  ["all-public", "none", "none"],
  ["all-public", "all-public", "all-public"],
  ["all-public", { allow: ["a.test", "b.test:8443"] }, { allow: ["a.test"] }],
  [{ allow: ["a.test:8443", "a.test"] }, "all-public", { allow: ["a.test"] }],
  [{ allow: ["a.example.com", "*.b.example.com", "a.example.com:443"] }, wide, undefined],
  [{ allow: ["example.com", "evilexample.com", "a.example.com:22"] }, wide, "none"],
  [{ allow: ["git.example.org"] }, wide, "none"],
  [
    { allow: ["*.org", "a.example.com"] },
    { allow: ["x.org", "*.y.org", "a.test"] },
    { allow: ["x.org", "*.y.org"] },
  ],
  [{ allow: ["*.other.test"] }, { allow: ["other.test"] }, "none"],
] as const)("of %j, the part that %j allows is %j", (policy, widest, part) => {
  const narrowed = narrowPolicy(policy, widest);
  if (part === undefined) expect(narrowed).toBe(policy);
  else expect(narrowed).toEqual(part);
});

it.each<EgressOptions>([
  { addresses: { "a b": "http://10.0.0.1" } },
  { addresses: { "a.test": "ftp://10.0.0.1" } },
  { addresses: { "a.test": "10.0.0.1" } },
  { credentials: [{ host: "a/b", value: "tale" }] },
  { credentials: [{ host: "a.test", header: "no header", value: "tale" }] },
  { credentials: [{ host: "a.test", value: "tale\nX-More: 1" }] },
  { maxBytes: 0 },
  { maxConnections: 1.5 },
  { env: { "no name": "x" } },
])("refuses %j, and tells no secret", (egress) => {
  expect(() => checkEgress(egress)).toThrow(
    expect.objectContaining({ code: "invalid_argument", message: expect.not.stringMatching(/tale/) }),
  );
});
