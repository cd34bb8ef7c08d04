import * as fc from "fast-check";

/** Another request may have sent them: an answer that shows the thread may hold them. */
export const TRAVERSALS = [
  "../../etc/passwd",
  "..",
  ".",
  "/",
  "//",
  "/../../..",
  "/etc/passwd",
  "/etc/shadow",
  "/proc/self/environ",
  "/proc/1/root/etc/passwd",
  "%2e%2e%2f%2e%2e%2fcanary.txt",
  "..%2f..%2f..%2fcanary.txt",
  "..\\..\\canary.txt",
  "../../../../../canary.txt",
  "C:\\Windows\\win.ini",
  "\\\\server\\share",
  "file:///etc/passwd",
  "notes.txt\0.png",
  "~/x",
  "scratch/../../workspace/notes.txt",
];

const texts = [
  "",
  " ",
  "\0",
  "a\0b",
  "\r\n",
  "x\r\nSet-Cookie: a=b",
  "\u001b[31m",
  "\u007f\u0080\u009f",
  "你好，世界",
  "👩‍👩‍👧‍👦🏳️‍🌈",
  "\u202eevil\u202c",
  "e\u0301".repeat(50),
  "\ufeff",
  "\uffff\ufffe",
  "\ud800",
  "a\udc00b",
  "\u2028\u2029",
  "<script>alert(1)</script>",
  "'; DROP TABLE threads; --",
  '" OR 1=1',
  "%",
  "%s%n%d",
  "${7*7}{{7*7}}",
  "$(touch /workspace/owned)",
  "`id`",
  "*?[a-z]{1,2}",
  "__proto__",
  "constructor",
  "toString",
  "null",
  "undefined",
  "NaN",
  "true",
  "-1",
  "1e999",
  "0x10",
  "((((((((((",
  'AND OR NOT NEAR("',
];

export const hostileText = fc.oneof(
  fc.constantFrom(...texts),
  fc.constantFrom(...TRAVERSALS),
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc.constantFrom(100, 201, 501, 4097, 40_000).map((length) => "x".repeat(length)),
  fc.constantFrom(100, 2000).map((length) => "界".repeat(length)),
);

export const hostilePath = fc.oneof(fc.constantFrom(...TRAVERSALS), hostileText);

const hostileNumber = fc.oneof(
  fc.constantFrom(-1, 0, -0, 0.5, 1.5, 5e-324, 1e308, -1e308),
  fc.constantFrom(2 ** 31, 2 ** 32, 2 ** 53, 2 ** 53 + 2, 2 ** 63, 2 ** 64, 86_400_001),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);

export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  hostileText,
  hostileNumber,
  fc.constantFrom(null, true, false, [], {}, [[]], [null], { "": null }),
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(50, 3000).map(nest),
);

function nest(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}
