import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { answer, type AnswerRequest } from "@atoll/agent";
import type { RunEvent } from "@atoll/protocol";
import { Sandbox, type SandboxHandle } from "@atoll/sandbox";
import { allTools, SessionBrowser } from "@atoll/toolkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { missingChromium } from "../support/chromium.ts";
import { describeIf } from "../support/requirements.ts";
import {
  answer as say,
  finish,
  reply,
  type ScriptedOpenAI,
  startScriptedOpenAI,
  toolCall,
} from "../support/scripted-openai/index.ts";
import { openSite, type Site } from "./site.harness.ts";

describeIf({ suite: "browser_tool", missing: missingChromium, isRequired: true }, () => {
  let dataDir = "";
  let site: Site;
  let sandbox: SandboxHandle;
  let browser: SessionBrowser;
  let models: ScriptedOpenAI;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "atoll-browser-tool-"));
    [site, models] = await Promise.all([openSite(), startScriptedOpenAI()]);
    const egress = { addresses: { "site.test": site.url } };
    sandbox = await Sandbox.create({ dataDir, network: { allow: ["site.test"] }, egress });
    browser = new SessionBrowser({
      id: `browser-${sandbox.id}`,
      sandbox: async () => sandbox.restricted(),
      dataDir,
      egress,
    });
  });
  afterAll(async () => {
    await browser.remove();
    await sandbox.destroy();
    await Promise.all([site.close(), models.close()]);
    await rm(dataDir, { recursive: true, force: true, maxRetries: 10 });
  });

  const call = (name: string, args: object) => reply(toolCall(name, args), finish("tool_calls"));
  const makeRequest = (events: RunEvent[]): AnswerRequest => ({
    message: "Which city is sent?",
    history: [],
    model: {
      kind: "model",
      provider: "openai-compatible",
      model: "scripted",
      apiKey: "sk-none",
      baseUrl: models.baseUrl,
    },
    data: { tables: [], others: [] },
    wake: async () => ({ sandbox: sandbox.restricted(), state: "hot", wakeMs: 0 }),
    emit: (event) => void events.push(event),
    tools: allTools,
    toolContext: { browser },
    approve: async () => ({ decision: "allow" }),
    takeSteering: () => [],
    keepImage: ({ mime }) => `/kept/${mime}`,
    keepArtifact: async (_, { path }) => `/kept${path}`,
    signal: new AbortController().signal,
  });

  it("has an agent of its own use the browser, and gives its answer as JSON that fits", async () => {
    const schema = { type: "object", properties: { sent: { type: "string" } }, required: ["sent"] };
    models.script(
      call("browser_tool", { task: "Send the form.", url: "http://site.test/form", output_schema: schema }),
      call("browser_open", { url: "http://site.test/form" }),
      call("browser_action", { action: "evaluate", script: "document.forms[0].elements.name.value = 'Ann'" }),
      call("browser_action", { action: "evaluate", script: "document.forms[0].submit()" }),
      call("browser_screenshot", {}),
      call("give_answer", { answer: { sent: "Ann" } }),
      say("Ann was sent."),
    );
    const events: RunEvent[] = [];
    const outcome = await answer(makeRequest(events));
    expect(outcome).toMatchObject({ status: "completed", response: "Ann was sent." });
    expect(models.left).toBe(0);
    const [, first, second, , third] = models.requests.map(({ body }) => body);
    const offered = first?.tools?.map((tool) => tool.function.name) ?? [];
    expect(offered).toContain("browser_click");
    expect(offered).not.toContain("browser_tool");
    expect(offered).not.toContain("execute_python");
    expect(JSON.stringify(first?.messages)).toContain("Begin at http://site.test/form");
    expect(JSON.stringify(second?.messages.at(-1))).toContain("Title: Form");
    expect(JSON.stringify(third?.messages)).toContain("http://site.test/sent");
    const last = models.requests.at(-1)?.body.messages.at(-1);
    expect(last).toMatchObject({ role: "tool", content: expect.stringContaining('"sent": "Ann"') });
    const shots = events.filter((event) => event.type === "artifact");
    expect(shots.length).toBeGreaterThanOrEqual(2);
    for (const shot of shots) expect(JSON.stringify(shot)).toContain("/session/artifacts/screenshot-");
  });

  it("has its agent end in words when it runs out of steps", async () => {
    models.script(
      call("browser_tool", { task: "Look around.", max_steps: 1 }),
      call("browser_open", { url: "http://site.test/" }),
      say("I saw only the start."),
      say("It did not get far."),
    );
    const outcome = await answer(makeRequest([]));
    expect(outcome).toMatchObject({ status: "completed", response: "It did not get far." });
    const last = models.requests.at(-1)?.body.messages.at(-1);
    expect(models.left).toBe(0);
    expect(last).toMatchObject({ role: "tool", content: expect.stringContaining("I saw only the start.") });
  });
});
