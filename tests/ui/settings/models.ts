import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { afterAll, describe, expect, it } from "vitest";
import { findFreePort } from "../../support/free-port.ts";
import {
  answer as say,
  createGate,
  failure,
  finish,
  reply,
  text,
  waitFor,
} from "../../support/scripted-openai/index.ts";
import type { UiHarness } from "../../support/ui/ui-harness.ts";
import { openSettings } from "./settings.harness.ts";

const KEY = "sk-of-this-test-0123456789abcdWXYZ";

export function describeModels(ui: () => UiHarness): void {
  describe("the model", () => {
    afterAll(() =>
      ui().request("PUT", "/settings", {
        model: null,
        base_url: null,
        keys: { openai: null, anthropic: null },
      }),
    );

    it("names the built-in analyst and what it can do", async () => {
      const app = await ui().open();
      const model = await openModel(app.page);
      await model.getByText("Answers come from Built-in analyst.").waitFor();
      await model.getByText(/needs no model and no account/).waitFor();
      const answer = await closeAnd(app.page, () => app.ask("How many rows are there?"));
      expect(await answer.locator(".answer-foot").innerText()).toContain("Built-in analyst");
      expect(app.problems).toEqual([]);
    });

    it("tests a model with its key on saving, then answers with it", async () => {
      const { models } = ui();
      const app = await ui().open();
      const model = await openModel(app.page);
      await choose(model, { address: models.baseUrl, name: "scripted", key: KEY });
      models.script(say("ok"));
      await test(model);
      await model.getByText(/openai-compatible:scripted answers \(/).waitFor();
      expect(models.requests.at(-1)?.headers.authorization).toBe(`Bearer ${KEY}`);
      await model.getByText("Answers come from openai-compatible:scripted.").waitFor();
      models.script(say("From the scripted model."));
      const answer = await closeAnd(app.page, () => app.ask("hello"));
      expect(await answer.innerText()).toContain("From the scripted model.");
      expect(app.problems).toEqual([]);
    });

    it("never shows a saved key again, in the page or from the server", async () => {
      const app = await ui().open();
      const bodies: string[] = [];
      app.page.on("response", (response) => {
        if (response.url().includes("/settings"))
          void response.text().then(
            (body) => bodies.push(body),
            () => {},
          );
      });
      const model = await openModel(app.page);
      await model.getByText("OpenAI key: set, ends with WXYZ").waitFor();
      expect(await model.getByLabel("OpenAI key").inputValue()).toBe("");
      await expect.poll(() => bodies.length).toBeGreaterThan(0);
      expect(bodies.join()).not.toContain(KEY.slice(0, -4));
      expect(await app.page.content()).not.toContain(KEY.slice(0, -4));
      const kept = await readFile(join(ui().dataDir, "server", "settings.json"), "utf8");
      expect(kept).toContain(KEY);
      await model.getByRole("button", { name: "Remove this key" }).click();
      await model.getByText("OpenAI key: not set").waitFor();
      expect(await readFile(join(ui().dataDir, "server", "settings.json"), "utf8")).not.toContain(KEY);
      expect(app.problems).toEqual([]);
    });

    it("says that a key is refused", async () => {
      const { models } = ui();
      const app = await ui().open();
      const model = await openModel(app.page);
      await choose(model, { address: models.baseUrl, name: "scripted", key: "sk-wrong" });
      models.script(failure(401, { message: "Incorrect API key provided: sk-wrong" }));
      await test(model);
      await model.getByText(/refused the key \(401\)/).waitFor();
      expect(await model.getByText("sk-wrong").count()).toBe(0);
      expect(app.problems).toEqual([]);
    });

    it("says that the model's server is unreachable", async () => {
      const app = await ui().open();
      const model = await openModel(app.page);
      await choose(model, { address: `http://127.0.0.1:${await findFreePort()}/v1`, name: "x", key: "" });
      await test(model);
      await model.getByText(/cannot be reached/).waitFor();
      expect(app.problems).toEqual([]);
    });

    it("waits for a slow model, and lets the user cancel", async () => {
      const { models } = ui();
      const app = await ui().open();
      const model = await openModel(app.page);
      await choose(model, { address: models.baseUrl, name: "scripted", key: KEY });
      const [gate, second] = [createGate(), createGate()];
      // A call without streaming waits before its first byte.
      models.script(slow(gate), slow(second));
      await test(model);
      await model.getByText("Waiting for the model…").waitFor();
      await model.getByRole("button", { name: "Cancel" }).click();
      await model.getByText("Waiting for the model…").waitFor({ state: "detached" });
      gate.open();
      await test(model);
      await model.getByText("Waiting for the model…").waitFor();
      second.open();
      await model.getByText(/scripted answers \(/).waitFor();
      expect(app.problems).toEqual([]);
    });

    it("refuses a model without its key, and says what is needed", async () => {
      const app = await ui().open();
      const model = await openModel(app.page);
      await model.getByLabel("Provider").selectOption("Anthropic");
      await test(model);
      await app.page
        .getByRole("dialog")
        .getByText(/anthropic needs a key/)
        .waitFor();
      // The browser reports the refused request.
      expect(app.problems).toEqual([expect.stringContaining("400")]);
    });
  });
}

async function openModel(page: Page): Promise<Locator> {
  return (await openSettings(page)).getByRole("group", { name: "Model", exact: true });
}

async function choose(model: Locator, given: { address: string; name: string; key: string }): Promise<void> {
  await model.getByLabel("Provider").selectOption("OpenAI-compatible server");
  await model.getByLabel("Address").fill(given.address);
  await model.getByLabel("Model", { exact: true }).fill(given.name);
  await model.getByLabel("OpenAI key").fill(given.key);
}

async function test(model: Locator): Promise<void> {
  await model.getByRole("button", { name: "Save and test" }).click();
}

async function closeAnd<Value>(page: Page, work: () => Promise<Value>): Promise<Value> {
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  return work();
}

function slow(gate: ReturnType<typeof createGate>) {
  return reply(waitFor(gate), text("ok"), finish("stop"));
}
