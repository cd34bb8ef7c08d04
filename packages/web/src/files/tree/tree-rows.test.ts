import { describe, expect, it } from "vitest";
import { type FolderState, listRows, sortEntries, type TreeEntry } from "./tree-rows.ts";

const entry = (path: string, kind: TreeEntry["kind"] = "file") => ({
  path,
  name: path.split("/").at(-1) ?? "",
  kind,
  size_bytes: 1,
});
const root = [entry("/a", "folder")];
const seen = (folders: readonly (readonly [string, FolderState])[]) =>
  listRows(root, new Map(folders)).map((row) =>
    row.kind === "note"
      ? `${row.depth} ${row.problem ?? "empty"}`
      : `${row.depth} ${row.entry.name} ${row.position}/${row.siblings}`,
  );

describe("tree rows", () => {
  it("lists open folders with each entry's position", () => {
    const inner = [entry("/a/b", "folder"), entry("/a/c.txt")];
    expect(seen([["/a", { isOpen: true, entries: inner }]])).toEqual(["0 a 1/1", "1 b 1/2", "1 c.txt 2/2"]);
    expect(seen([["/a", { isOpen: false, entries: inner }]])).toEqual(["0 a 1/1"]);
  });

  it("says if a folder is empty or unreadable, and nothing while it loads", () => {
    expect(seen([["/a", { isOpen: true, entries: [] }]])).toEqual(["0 a 1/1", "1 empty"]);
    expect(seen([["/a", { isOpen: true, problem: "no" }]])).toEqual(["0 a 1/1", "1 no"]);
    expect(seen([["/a", { isOpen: true }]])).toEqual(["0 a 1/1"]);
  });

  it("sorts folders first and numbers by value", () => {
    const given = [entry("/x10"), entry("/x2"), entry("/z", "folder")].map((each) => ({
      ...each,
      mode: 0,
      modified_at: "",
      etag: "",
    }));
    expect(sortEntries(given).map(({ name }) => name)).toEqual(["z", "x2", "x10"]);
  });
});
