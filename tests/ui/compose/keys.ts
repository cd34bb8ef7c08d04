import { expect, it } from "vitest";
import {
  answer as say,
  createGate,
  finish,
  reply,
  text,
  waitFor,
} from "../../support/scripted-openai/index.ts";
import type { AppPage } from "../../support/ui/app-page.ts";
import type { UiHarness } from "../../support/ui/ui-harness.ts";

export function testKeys(ui: () => UiHarness): void {
  it("sends with Enter, breaks the line with Shift+Enter, and recalls the last question with ↑", async () => {
    ui().models.always(say("Yes."));
    const app = await ui().open({ model: "scripted" });
    await app.message.pressSequentially("first line");
    await app.message.press("Shift+Enter");
    await app.message.pressSequentially("second line");
    expect(await app.message.inputValue()).toBe("first line\nsecond line");
    const answer = await app.answerTo(() => app.message.press("Enter"));
    await answer.locator(".answer-foot").waitFor();
    expect(await questions(app)).toEqual(["first line\nsecond line"]);
    expect(await app.message.inputValue()).toBe("");

    await app.message.press("Enter");
    await app.message.press("ArrowUp");
    expect(await app.message.inputValue()).toBe("first line\nsecond line");
    await app.message.press("End");
    await app.message.pressSequentially("!");
    await app.message.press("ArrowUp");
    expect(await app.message.inputValue()).toBe("first line\nsecond line!");
    const second = await app.answerTo(() => app.message.press("Enter"));
    await second.locator(".answer-foot").waitFor();
    expect(await questions(app)).toEqual(["first line\nsecond line", "first line\nsecond line!"]);
    expect(app.problems).toEqual([]);
  });

  it("does not send on the Enter of an input method", async () => {
    ui().models.always(say("好。"));
    const app = await ui().open({ model: "scripted", language: "zh" });
    const sent: string[] = [];
    app.page.on("request", (request) => {
      if (request.method() === "POST" && request.url().endsWith("/messages"))
        sent.push(request.postData() ?? "");
    });
    await app.message.focus();
    const wire = await app.page.context().newCDPSession(app.page);
    const enter = { key: "Enter", code: "Enter", windowsVirtualKeyCode: 13 };

    await wire.send("Input.imeSetComposition", { text: "nihao", selectionStart: 5, selectionEnd: 5 });
    await app.page.evaluate(`{
      window.seen = [];
      addEventListener("keydown", ({ isComposing }) => window.seen.push(isComposing));
    }`);
    await wire.send("Input.dispatchKeyEvent", { type: "rawKeyDown", ...enter });
    await wire.send("Input.dispatchKeyEvent", { type: "keyUp", ...enter });
    expect(await app.page.evaluate("window.seen")).toEqual([true]);
    await wire.send("Input.insertText", { text: "你好" });

    // Safari ends the composition first and then reports the key as 229.
    await wire.send("Input.dispatchKeyEvent", { type: "rawKeyDown", ...enter, windowsVirtualKeyCode: 229 });
    await wire.send("Input.dispatchKeyEvent", { type: "keyUp", ...enter, windowsVirtualKeyCode: 229 });
    expect(await app.message.inputValue()).toBe("你好");

    const answer = await app.answerTo(() => app.message.press("Enter"));
    await answer.locator(".answer-foot").waitFor();
    expect(sent.map((body) => (JSON.parse(body) as { message: string }).message)).toEqual(["你好"]);
    expect(await questions(app, "你")).toEqual(["你好"]);
    expect(app.problems).toEqual([]);
  });

  it("stops the answer with Esc and keeps its text, but ignores the Esc of an input method", async () => {
    const gate = createGate();
    ui().models.script(
      reply(text("The first half,"), waitFor(gate), text(" never the second."), finish("stop")),
    );
    const app = await ui().open({ model: "scripted" });
    const answer = await app.send("Tell me");
    await answer.getByText("The first half,").waitFor();

    const wire = await app.page.context().newCDPSession(app.page);
    await app.message.focus();
    await wire.send("Input.imeSetComposition", { text: "ni", selectionStart: 2, selectionEnd: 2 });
    const escape = { key: "Escape", code: "Escape", windowsVirtualKeyCode: 27 };
    const stops: string[] = [];
    app.page.on("request", (request) => request.url().endsWith("/stop") && stops.push(request.url()));
    await wire.send("Input.dispatchKeyEvent", { type: "rawKeyDown", ...escape });
    await wire.send("Input.dispatchKeyEvent", { type: "keyUp", ...escape });
    await wire.send("Input.imeSetComposition", { text: "", selectionStart: 0, selectionEnd: 0 });
    expect(stops).toEqual([]);
    expect(await answer.locator(".answer-foot").count()).toBe(0);

    await app.page.keyboard.press("Escape");
    await answer.locator(".answer-foot", { hasText: "Stopped" }).waitFor();
    expect(await answer.innerText()).toContain("The first half,");
    expect(stops).toHaveLength(1);
    expect(await app.page.getByRole("button", { name: "Stop" }).count()).toBe(0);
    gate.open();
    expect(app.problems).toEqual([]);
  });

  it("stops the analyst's code with Esc, and the thread stays usable", async () => {
    const app = await ui().open();
    const { message_id: id } = await ui().request("POST", `/thread/${app.threadId}/code`, {
      code: "print('be' + 'gun', flush=True)\nwhile True: pass",
    });
    const answer = app.page.locator(`.answer[data-message="${String(id)}"]`);
    await answer.getByText("begun").waitFor();
    await app.page.getByRole("button", { name: "Stop" }).waitFor();
    await app.page.keyboard.press("Escape");
    await answer.locator(".answer-foot", { hasText: "Stopped" }).waitFor();
    expect(await answer.innerText()).toContain("begun");
    const next = await app.ask("How many rows are there?");
    expect(await next.innerText()).toContain("6,218");
    expect(app.problems).toEqual([]);
  });
}

function questions(app: AppPage, you = "You"): Promise<string[]> {
  return app.page.getByRole("article", { name: you }).locator(".bubble").allInnerTexts();
}
