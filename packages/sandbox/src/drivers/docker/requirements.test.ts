import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { once } from "node:events";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { defaultImage, whyUnavailable } from "./requirements.ts";

describe.runIf(process.platform === "linux")("what the docker driver needs", () => {
  let folder = "";
  let engine: Server | undefined;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "atoll-engine-"));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  afterEach(() => {
    vi.unstubAllEnvs();
    engine?.close();
    engine = undefined;
  });

  /** An engine that answers with these facts and has these images. */
  const answer = async (info: object, images: readonly string[] = [defaultImage]) => {
    const path = join(folder, `${Math.random()}.sock`);
    vi.stubEnv("DOCKER_HOST", `unix://${path}`);
    engine = createServer((request, response) => {
      const image = /^\/images\/(.*)\/json$/.exec(request.url ?? "")?.[1];
      const isFound = image === undefined || images.includes(image);
      response
        .writeHead(isFound ? 200 : 404)
        .end(JSON.stringify(isFound ? info : { message: "no such image" }));
    }).listen(path);
    await once(engine, "listening");
  };
  const linux = { OSType: "linux", SecurityOptions: ["name=seccomp"], Runtimes: { runc: {} } };

  it("is there where an engine has all of it", async () => {
    await answer(linux);
    expect(await whyUnavailable()).toBeUndefined();
  });

  it("is an engine that answers", async () => {
    vi.stubEnv("DOCKER_HOST", `unix://${folder}/nobody.sock`);
    expect(await whyUnavailable()).toMatch(
      /no Docker engine answers at .*nobody\.sock: start it, or set DOCKER_HOST/,
    );
  });

  it("is an engine on this machine", async () => {
    vi.stubEnv("DOCKER_HOST", "tcp://192.0.2.1:2375");
    expect(await whyUnavailable()).toMatch(/another machine/);
  });

  it("is the image, and says how to build it", async () => {
    await answer(linux, []);
    expect(await whyUnavailable()).toContain("npm run images");
  });

  it("is the runtime that was asked for", async () => {
    await answer(linux);
    vi.stubEnv("SANDBOX_DOCKER_RUNTIME", "runsc");
    expect(await whyUnavailable()).toMatch(/no runtime runsc .*it has: runc/);
  });

  it.each([
    [{ ...linux, SecurityOptions: ["name=rootless"] }, /maps users/],
    [{ ...linux, OSType: "windows" }, /windows containers/],
  ])("is not met by %j", async (info, reason) => {
    await answer(info);
    expect(await whyUnavailable()).toMatch(reason);
  });
});
