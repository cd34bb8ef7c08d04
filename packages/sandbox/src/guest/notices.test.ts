import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { NOTICE_CODES } from "@atoll/protocol";
import { describe, expect, it } from "vitest";
import { guestFolder } from "../drivers/_shared/guest-folder.ts";
import { readNotices } from "./notices.ts";

describe("notices of a guest", () => {
  it("have only codes that the protocol knows", () => {
    const sources = globSync("atoll_guest/**/*.py", { cwd: guestFolder });
    const codes = sources.flatMap((path) =>
      [...readFileSync(join(guestFolder, path), "utf8").matchAll(/\bnotice\(\s*"([a-z_]+)"/g)].map(
        ([, code = ""]) => code,
      ),
    );
    expect(codes).toContain("memory");
    expect(codes.filter((code) => !(NOTICE_CODES as readonly string[]).includes(code))).toEqual([]);
  });

  it("are shown, whatever a hostile guest leaves out", () => {
    for (const code of [...NOTICE_CODES, "constructor", "__proto__"]) {
      const { notices } = readNotices([{ code, values: {} }]);
      expect(notices, code).toHaveLength(1);
    }
  });
});
