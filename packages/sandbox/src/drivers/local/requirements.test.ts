import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { whyUnavailable } from "./requirements.ts";

describe.runIf(process.platform === "linux")("what the local driver needs", () => {
  let folder = "";
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "atoll-requirements-"));
    // As root the driver tries it as another user.
    await chmod(folder, 0o755);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  afterEach(() => void vi.unstubAllEnvs());

  it("is bubblewrap, and says how to get it", async () => {
    vi.stubEnv("PATH", folder);
    expect(await whyUnavailable()).toContain("apt-get install bubblewrap");
  });

  it("is namespaces, and says what bubblewrap said where it cannot have them", async () => {
    const path = join(folder, "bwrap");
    await writeFile(path, "#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n");
    await chmod(path, 0o755);
    vi.stubEnv("PATH", [folder, process.env["PATH"]].join(delimiter));
    expect(await whyUnavailable()).toMatch(
      /No permissions to create new namespace.*user namespaces must be allowed/,
    );
  });
});
