import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { dockerDriver } from "./drivers/docker/driver.ts";
import { localDriver } from "./drivers/local/driver.ts";
import { pyodideDriver } from "./drivers/pyodide/driver.ts";
import { Sandbox } from "./sandbox.ts";

describe("the choice of a runtime", () => {
  let dataDir = "";
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "atoll-choice-"));
  });
  afterAll(() => rm(dataDir, { recursive: true, force: true, maxRetries: 10 }));
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
  });

  const chosen = async (runtime?: string): Promise<string> => {
    await using sandbox = await Sandbox.create({ dataDir, runtime });
    return sandbox.info.driver;
  };

  it("is the option's, then SANDBOX_RUNTIME's, then SANDBOX_PROVIDER's, then the first that isolates", async () => {
    vi.stubEnv("SANDBOX_RUNTIME", undefined);
    vi.stubEnv("SANDBOX_PROVIDER", undefined);
    expect(await chosen()).toBe("local");
    vi.stubEnv("SANDBOX_PROVIDER", "none");
    expect(await chosen()).toBe("host");
    vi.stubEnv("SANDBOX_RUNTIME", "local");
    expect(await chosen()).toBe("local");
    expect(await chosen("host")).toBe("host");
  });

  it("is refused with the names there are, when there is none of that name", async () => {
    vi.stubEnv("SANDBOX_RUNTIME", "moon");
    const refused = {
      code: "invalid_argument",
      message: expect.stringContaining("there are: local, docker, pyodide, host, routed, auto"),
    };
    await expect(chosen()).rejects.toMatchObject(refused);
  });

  it("never falls back to one that does not isolate", async () => {
    vi.spyOn(localDriver, "unavailableBecause").mockResolvedValue("bubblewrap is missing");
    vi.spyOn(dockerDriver, "unavailableBecause").mockResolvedValue("no engine answers");
    vi.spyOn(pyodideDriver, "unavailableBecause").mockResolvedValue("this Node is too old");
    const refused = {
      code: "runtime_unavailable",
      message: expect.stringMatching(
        /local: bubblewrap is missing.*docker: no engine answers.*pyodide: this Node is too old/,
      ),
    };
    await expect(chosen("auto")).rejects.toMatchObject(refused);
  });

  it("is WebAssembly where the machine has neither namespaces nor an engine", async () => {
    vi.spyOn(localDriver, "unavailableBecause").mockResolvedValue("bubblewrap is missing");
    vi.spyOn(dockerDriver, "unavailableBecause").mockResolvedValue("no engine answers");
    expect(await chosen("auto")).toBe("pyodide");
    expect(await Sandbox.chosen("auto")).toEqual({
      driver: pyodideDriver,
      passedOver: ["local: bubblewrap is missing", "docker: no engine answers"],
    });
    expect(await Sandbox.chosen("pyodide")).toEqual({ driver: pyodideDriver, passedOver: [] });
  });

  it("says ahead of time why none can be made, for the runtime that would be taken", async () => {
    vi.spyOn(localDriver, "unavailableBecause").mockResolvedValue("bubblewrap is missing");
    vi.spyOn(dockerDriver, "unavailableBecause").mockResolvedValue(undefined);
    expect(await Sandbox.unavailableBecause("local")).toBe("bubblewrap is missing");
    expect(await Sandbox.unavailableBecause("docker")).toBeUndefined();
    expect(await Sandbox.unavailableBecause("auto")).toBeUndefined();
    expect(await Sandbox.unavailableBecause("cloud")).toContain('no runtime "cloud"');
  });
});
