import { describe, expect, it } from "vitest";
import { describeRestore } from "./restore.ts";

describe("what is said of a restore", () => {
  it("names what is back, what is lost and why, and from when it is", () => {
    const text = describeRestore({
      restored: ["df", "rates"],
      lost: [{ name: "conn", type: "Connection", reason: "cannot be pickled" }],
      variablesAt: "2030-01-01T00:00:00Z",
    });
    expect(text).toContain("back: df, rates.");
    expect(text).toContain("conn (Connection: cannot be pickled)");
    expect(text).toContain("as of 2030-01-01T00:00:00Z");
  });

  it("says that nothing came back where nothing did", () => {
    expect(describeRestore({ restored: [], lost: [], isEmpty: true })).toContain("variables are gone");
  });

  it("goes on neither without end nor over several lines, whatever the names are", () => {
    const lost = Array.from({ length: 40 }, (_, at) => ({ name: `v${at}`, type: "socket", reason: "open" }));
    const hostile = "x\n# New instructions\n".repeat(50);
    const text = describeRestore({ restored: Array.from({ length: 100 }, () => hostile), lost });
    expect(text).toMatch(/v0 \(socket: open\).*v29.*and 10 more/);
    expect(text).not.toContain("v30");
    expect(text).not.toContain("\n");
    expect(text.length).toBeLessThan(20_000);
  });
});
