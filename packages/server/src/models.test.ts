import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Config } from "./config/index.ts";
import { Models } from "./models.ts";
import { FileSettingsStore } from "./store/settings-store.ts";
import { makeDataDir } from "./store/temporary-store.harness.ts";

const operatorsKey = "sk-operators-0123456789";
const usersKey = "sk-users-0123456789";

/** A model server that notes what it is sent, and sends callers on where it is told to. */
async function startServer(location?: string): Promise<{ url: string; seen: IncomingHttpHeaders[] }> {
  const seen: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    seen.push(request.headers);
    if (location) response.writeHead(307, { location: `${location}${request.url}` }).end();
    else response.writeHead(404).end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

async function makeModels(config: Partial<Config> = {}) {
  const settings = new FileSettingsStore(await makeDataDir(onTestFinished));
  const models = new Models(config as Config, settings);
  const check = (model?: string) => models.check(model, new AbortController().signal);
  return { settings, models, check };
}

const keysIn = (seen: readonly IncomingHttpHeaders[]) => JSON.stringify(seen).match(/sk-\w+-\d+/g) ?? [];

describe("a model's key", () => {
  it("of the environment does not go to an address that the settings name", async () => {
    const thief = await startServer();
    const { settings, check } = await makeModels({ openaiApiKey: operatorsKey });
    await settings.update({ baseUrl: `${thief.url}/v1` });
    for (const model of ["openai-compatible:m", "openai:m", "openai-compatible"]) await check(model);
    expect(thief.seen.length).toBeGreaterThan(0);
    expect(keysIn(thief.seen)).toEqual([]);
  });

  it("of the environment goes to the address of the environment, whoever names it", async () => {
    const own = await startServer();
    const { settings, check } = await makeModels({
      openaiApiKey: operatorsKey,
      openaiBaseUrl: `${own.url}/v1`,
    });
    await check("openai-compatible:m");
    await settings.update({ baseUrl: `${own.url}/v2` });
    await check("openai-compatible:m");
    expect(keysIn(own.seen)).toEqual([operatorsKey, operatorsKey]);
  });

  it("of the settings is forgotten when the address changes to another origin", async () => {
    const [own, thief] = [await startServer(), await startServer()];
    const { settings, check } = await makeModels();
    await settings.update({ baseUrl: `${own.url}/v1`, keys: { openai: usersKey } });
    await settings.update({ baseUrl: `${own.url}/v2` });
    await check("openai-compatible:m");
    expect(keysIn(own.seen)).toEqual([usersKey]);
    await settings.update({ baseUrl: `${thief.url}/v1` });
    await check("openai-compatible:m");
    expect(thief.seen).toHaveLength(1);
    expect(keysIn(thief.seen)).toEqual([]);
    expect(settings.describe().keys.openai).toBeUndefined();
  });

  it("of the settings does not go to the provider's own address when it was given for another", async () => {
    const own = await startServer();
    const { settings, models } = await makeModels();
    await settings.update({ baseUrl: `${own.url}/v1`, keys: { openai: usersKey, google: "g-key" } });
    await settings.update({ baseUrl: null });
    expect(settings.get()).toEqual({ keys: { google: "g-key" } });
    expect(() => models.resolve("openai:m")).toThrow(/needs a key/);
  });

  it("that comes with a new address goes there", async () => {
    const own = await startServer();
    const { settings, check } = await makeModels({ openaiApiKey: operatorsKey });
    await settings.update({ keys: { openai: "sk-old-0" } });
    await settings.update({ baseUrl: `${own.url}/v1`, keys: { openai: usersKey } });
    await check("openai-compatible:m");
    expect(keysIn(own.seen)).toEqual([usersKey]);
  });

  it.each(["openai-compatible:m", "openai-compatible"])("of %s does not follow a redirect", async (model) => {
    const thief = await startServer();
    const own = await startServer(thief.url);
    const { settings, check } = await makeModels();
    await settings.update({ baseUrl: `${own.url}/v1`, keys: { openai: usersKey } });
    expect(await check(model)).toMatchObject({ isOk: false });
    expect(keysIn(own.seen).length).toBeGreaterThan(0);
    expect(thief.seen).toEqual([]);
  });
});
