import { describe, expect, it } from "vitest";
import { FileLedger, parseFileChanges } from "./file-quota.ts";

const breach = expect.objectContaining({ code: "protocol_error" });
const file = (size: number) => ({ kind: "file", size, target: null }) as const;
const empty = new Uint8Array();

describe("a ledger of files", () => {
  it("takes what fits, and counts what is replaced or removed no more", () => {
    const ledger = new FileLedger({ bytes: 100, entries: 2 });
    ledger.add("workspace/a", file(100));
    ledger.add("workspace/a", file(60));
    ledger.add("workspace/b", file(40));
    expect(() => ledger.add("workspace/b", file(41))).toThrow(breach);
    ledger.remove("workspace/a");
    ledger.add("workspace/c", file(50));
  });

  it("refuses an entry too many, and names that are too long in sum", () => {
    const few = new FileLedger({ bytes: 0, entries: 3 });
    for (const name of "abc") few.add(`workspace/${name}`, { kind: "folder", size: 0, target: null });
    expect(() => few.add("workspace/d", file(0))).toThrow(breach);
    const many = new FileLedger({ bytes: 0, entries: 20_000 });
    const fill = () => {
      for (let n = 0; n < 20_000; n++)
        many.add(`workspace/${n}`, { kind: "symlink", size: 0, target: "x".repeat(4000) });
    };
    expect(fill).toThrow(breach);
  });

  it("lets what was more than the quota before become smaller", () => {
    const ledger = new FileLedger({ bytes: 10, entries: 1 });
    ledger.put("workspace/a", file(50));
    ledger.put("workspace/b", file(50));
    ledger.add("workspace/a", file(40));
    expect(() => ledger.add("workspace/a", file(41))).toThrow(breach);
  });
});

describe("what an interpreter says of its files", () => {
  const row = ["workspace", "x", "file", 0o644, 1, 5.5, null];
  const parse = (changed: unknown, body: Uint8Array = new Uint8Array(1)) =>
    parseFileChanges({ changed, removed: [] }, body);

  it("is taken where it is sound", () => {
    expect(parse([row]).changed).toEqual([row]);
    expect(parse([["session", "l", "symlink", 0o777, 3, 0, "to"]], empty).changed).toHaveLength(1);
  });

  it.each<readonly [string, unknown]>([
    ["no list", "x"],
    ["too many rows", Array.from({ length: 2001 }, () => ["workspace", "x", "folder", 0, 0, 0, null])],
    ["a row that is none", [null]],
    ["a row that is short", [row.slice(0, 6)]],
    ["another root", [["__proto__", ...row.slice(1)]]],
    ["a name that is too long", [["workspace", "x".repeat(5000), ...row.slice(2)]]],
    ["a target that is too long", [["workspace", "x", "symlink", 0o777, 0, 0, "x".repeat(5000)]]],
    ["another kind", [["workspace", "x", "device", 0o644, 1, 0, null]]],
    ["a mode that is none", [["workspace", "x", "file", -1, 1, 0, null]]],
    ["a size that its content has not", [["workspace", "x", "file", 0o644, 2, 0, null]]],
    ["a size below nothing", [["workspace", "x", "file", 0o644, -1, 0, null]]],
    ["a time that is none", [["workspace", "x", "file", 0o644, 1, Number.POSITIVE_INFINITY, null]]],
  ])("is a breach with %s", (_, changed) => {
    expect(() => parse(changed)).toThrow(breach);
  });
});
