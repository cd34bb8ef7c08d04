import { expect, it } from "vitest";
import {
  answer as say,
  createGate,
  finish,
  reply,
  text,
  waitFor,
} from "../../support/scripted-openai/index.ts";
import type { DeskPage } from "../../support/ui/desk-page.ts";
import type { Stage } from "../../support/ui/stage.ts";

export function testKeys(stage: () => Stage): void {
  it("Enter sends, Shift+Enter begins a new line, and ↑ brings the last question back", async () => {
    stage().models.always(say("Yes."));
    const desk = await stage().open({ model: "scripted" });
    await desk.message.pressSequentially("first line");
    await desk.message.press("Shift+Enter");
    await desk.message.pressSequentially("second line");
    expect(await desk.message.inputValue()).toBe("first line\nsecond line");
    const answer = await desk.answerTo(() => desk.message.press("Enter"));
    await answer.locator(".answer-foot").waitFor();
    expect(await questions(desk)).toEqual(["first line\nsecond line"]);
    expect(await desk.message.inputValue()).toBe("");

    await desk.message.press("Enter");
    await desk.message.press("ArrowUp");
    expect(await desk.message.inputValue()).toBe("first line\nsecond line");
    await desk.message.press("End");
    await desk.message.pressSequentially("!");
    await desk.message.press("ArrowUp");
    expect(await desk.message.inputValue()).toBe("first line\nsecond line!");
    const second = await desk.answerTo(() => desk.message.press("Enter"));
    await second.locator(".answer-foot").waitFor();
    expect(await questions(desk)).toEqual(["first line\nsecond line", "first line\nsecond line!"]);
    expect(desk.problems).toEqual([]);
  });

  it("Enter that chooses a word of an input method sends nothing", async () => {
    stage().models.always(say("好。"));
    const desk = await stage().open({ model: "scripted", language: "zh" });
    const sent: string[] = [];
    desk.page.on("request", (request) => {
      if (request.method() === "POST" && request.url().endsWith("/messages"))
        sent.push(request.postData() ?? "");
    });
    await desk.message.focus();
    const wire = await desk.page.context().newCDPSession(desk.page);
    const enter = { key: "Enter", code: "Enter", windowsVirtualKeyCode: 13 };

    await wire.send("Input.imeSetComposition", { text: "nihao", selectionStart: 5, selectionEnd: 5 });
    await desk.page.evaluate(`{
      window.seen = [];
      addEventListener("keydown", ({ isComposing }) => window.seen.push(isComposing));
    }`);
    await wire.send("Input.dispatchKeyEvent", { type: "rawKeyDown", ...enter });
    await wire.send("Input.dispatchKeyEvent", { type: "keyUp", ...enter });
    expect(await desk.page.evaluate("window.seen")).toEqual([true]);
    await wire.send("Input.insertText", { text: "你好" });

    // Safari ends the composition first, and then tells of the key as 229.
    await wire.send("Input.dispatchKeyEvent", { type: "rawKeyDown", ...enter, windowsVirtualKeyCode: 229 });
    await wire.send("Input.dispatchKeyEvent", { type: "keyUp", ...enter, windowsVirtualKeyCode: 229 });
    expect(await desk.message.inputValue()).toBe("你好");

    const answer = await desk.answerTo(() => desk.message.press("Enter"));
    await answer.locator(".answer-foot").waitFor();
    expect(sent.map((body) => (JSON.parse(body) as { message: string }).message)).toEqual(["你好"]);
    expect(await questions(desk, "你")).toEqual(["你好"]);
    expect(desk.problems).toEqual([]);
  });

  it("Esc stops the answer and keeps what was said, but not while an input method uses it", async () => {
    const gate = createGate();
    stage().models.script(
      reply(text("The first half,"), waitFor(gate), text(" never the second."), finish("stop")),
    );
    const desk = await stage().open({ model: "scripted" });
    const answer = await desk.send("Tell me");
    await answer.getByText("The first half,").waitFor();

    const wire = await desk.page.context().newCDPSession(desk.page);
    await desk.message.focus();
    await wire.send("Input.imeSetComposition", { text: "ni", selectionStart: 2, selectionEnd: 2 });
    const escape = { key: "Escape", code: "Escape", windowsVirtualKeyCode: 27 };
    const stops: string[] = [];
    desk.page.on("request", (request) => request.url().endsWith("/stop") && stops.push(request.url()));
    await wire.send("Input.dispatchKeyEvent", { type: "rawKeyDown", ...escape });
    await wire.send("Input.dispatchKeyEvent", { type: "keyUp", ...escape });
    await wire.send("Input.imeSetComposition", { text: "", selectionStart: 0, selectionEnd: 0 });
    expect(stops).toEqual([]);
    expect(await answer.locator(".answer-foot").count()).toBe(0);

    await desk.page.keyboard.press("Escape");
    await answer.locator(".answer-foot", { hasText: "Stopped" }).waitFor();
    expect(await answer.innerText()).toContain("The first half,");
    expect(stops).toHaveLength(1);
    expect(await desk.page.getByRole("button", { name: "Stop" }).count()).toBe(0);
    gate.open();
    expect(desk.problems).toEqual([]);
  });

  it("Esc stops code of the built-in analyst's thread, and the thread goes on", async () => {
    const desk = await stage().open();
    const { message_id: id } = await stage().request("POST", `/thread/${desk.threadId}/code`, {
      code: "print('be' + 'gun', flush=True)\nwhile True: pass",
    });
    const answer = desk.page.locator(`.answer[data-message="${String(id)}"]`);
    await answer.getByText("begun").waitFor();
    await desk.page.getByRole("button", { name: "Stop" }).waitFor();
    await desk.page.keyboard.press("Escape");
    await answer.locator(".answer-foot", { hasText: "Stopped" }).waitFor();
    expect(await answer.innerText()).toContain("begun");
    const next = await desk.ask("How many rows are there?");
    expect(await next.innerText()).toContain("6,218");
    expect(desk.problems).toEqual([]);
  });
}

function questions(desk: DeskPage, you = "You"): Promise<string[]> {
  return desk.page.getByRole("article", { name: you }).locator(".bubble").allInnerTexts();
}
