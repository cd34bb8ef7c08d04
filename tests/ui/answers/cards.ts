import type { Locator } from "playwright-core";
import { expect, it } from "vitest";
import { answer as say, finish, reply, text, toolCall } from "../../support/scripted-openai/index.ts";
import type { UiHarness } from "../../support/ui/ui-harness.ts";
import { runCode, startCode } from "./answers.harness.ts";

export function testCards(ui: () => UiHarness): void {
  it("shows a run as a card with its time and folded code that can be copied", async () => {
    const app = await ui().open();
    await app.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const answer = await app.ask("Average amount by category");
    const card = answer.getByRole("group", { name: /^Python/ }).first();
    const toggle = card.getByRole("button", { expanded: false }).first();
    expect(await card.locator("pre.code").count()).toBe(0);
    expect(await card.locator("header").innerText()).toMatch(/Done\s+[\d.]+ (ms|s)/);

    await toggle.click();
    await card.locator(".code-string, .code-name").first().waitFor();
    const code = await card.locator("pre.code").innerText();
    expect(code).toContain("groupby");
    await card.getByRole("button", { name: "Copy", exact: true }).click();
    await card.getByRole("button", { name: "Copied", exact: true }).waitFor();
    expect(await app.page.evaluate("navigator.clipboard.readText()")).toBe(code);
    await card.getByTitle("Hide code").click();
    expect(await card.locator("pre.code").count()).toBe(0);
    expect(app.problems).toEqual([]);
  });

  it("streams stdout and stderr separately, also after a reload", async () => {
    const { models } = ui();
    const code = [
      "import os, sys, time",
      "print('o' + 'ne', flush=True)",
      "print('care' + 'ful', file=sys.stderr, flush=True)",
      "while not os.path.exists('/workspace/go'): time.sleep(0.02)",
      "print('t' + 'wo', flush=True)",
    ].join("\n");
    models.script(
      reply(text("Let me run that."), toolCall("execute_python", { code }), finish("tool_calls")),
      say("It ran."),
    );
    const app = await ui().open({ model: "scripted" });
    const answer = await app.send("run it");
    const output = answer.getByRole("group", { name: "Output" });
    await expect.poll(() => printed(output)).toEqual({ stdout: ["one"], stderr: ["careful"] });
    await answer.getByText("Running").waitFor();
    await app.page.reload();
    await expect.poll(() => printed(output)).toEqual({ stdout: ["one"], stderr: ["careful"] });

    await writeFile(ui(), app.threadId, "go");
    await answer.getByText("It ran.").waitFor();
    const { stdout, stderr } = await printed(output);
    expect([stdout.join("\n"), stderr]).toEqual(["one\ntwo", ["careful"]]);
    expect(app.problems).toEqual([]);
  });

  it("shows a progress bar as its last step, and the end of long output", async () => {
    const app = await ui().open();
    const answer = await runCode(
      ui(),
      app,
      "for n in (1, 50, 100): print(f'{n:>3}%', end='\\r')\nprint()\nfor n in range(200): print('line', n)",
    );
    const output = answer.getByRole("group", { name: "Output" });
    expect(await output.innerText()).toMatch(/^100%\nline 0\n/);
    const below = output.evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight);
    expect(await below).toBeLessThan(2);
  });

  it("opens a failed run with the error and a folded traceback", async () => {
    const { models } = ui();
    const code = "def inner():\n    raise ValueError('no such <b>thing</b>')\n\ninner()";
    models.script(reply(toolCall("execute_python", { code }), finish("tool_calls")), say("It failed."));
    const app = await ui().open({ model: "scripted" });
    const answer = await app.ask("try it");
    const card = answer.getByRole("group", { name: /^Python/ });
    await card.getByRole("button", { expanded: true }).waitFor();
    expect(await card.locator("pre.code").innerText()).toBe(code);
    expect(await card.locator("header").innerText()).toContain("Error");
    const error = card.getByRole("group", { name: "Error" });
    expect((await error.getByRole("paragraph").innerText()).trim()).toBe("ValueError: no such <b>thing</b>");
    const traceback = error.locator("pre");
    expect(await traceback.isVisible()).toBe(false);
    await error.getByText("Traceback", { exact: true }).click();
    expect(await traceback.innerText()).toContain("in inner");
    expect(await traceback.innerText()).not.toContain("\u001B");
    expect(app.problems).toEqual([]);
  });

  it("runs edited code again in the same kernel, without the model", async () => {
    const { models } = ui();
    models.script(
      reply(toolCall("execute_python", { code: "kept = 41\nprint(kept)" }), finish("tool_calls")),
      say("Forty-one."),
    );
    const app = await ui().open({ model: "scripted" });
    const answer = await app.ask("set it");
    const asked = models.requests.length;
    await answer.getByRole("button", { name: "Edit and run again" }).click();
    const editor = answer.getByRole("textbox", { name: "Code to run" });
    await editor.fill("print(kept + 1)");
    const again = await app.answerTo(() => answer.getByRole("button", { name: "Run", exact: true }).click());
    await again.getByText("Run by hand").waitFor();
    expect((await again.getByRole("group", { name: "Output" }).innerText()).trim()).toBe("42");
    expect(await editor.count()).toBe(0);

    // By keyboard, from the card of that run.
    await again.getByRole("button", { name: "Edit and run again" }).press("Enter");
    await again.getByRole("textbox", { name: "Code to run" }).fill("kept / 0");
    const failing = await app.answerTo(() => app.page.keyboard.press("ControlOrMeta+Enter"));
    await failing.getByText("ZeroDivisionError").first().waitFor();
    expect(models.requests).toHaveLength(asked);
    expect(app.problems).toEqual([]);
  });

  it("queues code that is run again, and withdraws it", async () => {
    const app = await ui().open();
    const first = await startCode(
      ui(),
      app,
      "import os, time\nwhile not os.path.exists('/workspace/go'): time.sleep(0.02)",
    );
    await first.getByText("Running").waitFor();
    await startCode(ui(), app, "print('un' + 'wanted')");
    const waiting = app.page.getByRole("article", { name: "You" }).filter({ hasText: "Queued" });
    await waiting.getByText("print('un' + 'wanted')").waitFor();
    await waiting.getByRole("button", { name: "Take back" }).click();
    await waiting.waitFor({ state: "detached" });
    await writeFile(ui(), app.threadId, "go");
    await first.locator(".answer-foot").waitFor();
    expect(app.problems).toEqual([]);
  });
}

async function printed(output: Locator): Promise<{ stdout: string[]; stderr: string[] }> {
  const texts = (stream: string) => output.locator(`pre.${stream}`).allInnerTexts();
  const clean = (lines: string[]) => lines.map((line) => line.replace(/^Errors:\s*/, "").trim());
  return { stdout: clean(await texts("stdout")), stderr: clean(await texts("stderr")) };
}

async function writeFile(ui: UiHarness, threadId: string, name: string): Promise<void> {
  const form = new FormData();
  form.append("files", new Blob(["go"]), name);
  const response = await fetch(`${ui.server.url}/thread/${threadId}/files`, {
    method: "POST",
    body: form,
  });
  if (!response.ok) throw new Error(await response.text());
}
