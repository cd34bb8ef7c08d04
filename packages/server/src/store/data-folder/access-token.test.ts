import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { loadToken } from "./access-token.ts";

describe("an access token", () => {
  it("is demanded off loopback, created once and readable for the server's user only", () => {
    const dataDir = join(mkdtempSync(join(tmpdir(), "atoll-token-")), "data");
    onTestFinished(() => rmSync(dirname(dataDir), { recursive: true, force: true }));
    expect(loadToken({ dataDir, isLoopback: true })).toEqual({ isNew: false });
    const first = loadToken({ dataDir, isLoopback: false });
    expect([first.isNew, first.token?.length]).toEqual([true, 43]);
    expect(loadToken({ dataDir, isLoopback: false })).toEqual({ token: first.token, isNew: false });
    expect(statSync(join(dataDir, "token")).mode & 0o777).toBe(0o600);
    expect(loadToken({ dataDir, isLoopback: false, token: "given-by-the-user" })).toEqual({
      token: "given-by-the-user",
      isNew: false,
    });
  });
});
