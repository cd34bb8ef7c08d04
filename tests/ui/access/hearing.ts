import { describe, expect, it } from "vitest";
import { createGate, finish, reply, text, waitFor } from "../../support/scripted-openai/index.ts";
import type { UiHarness } from "../../support/ui/ui-harness.ts";

export function describeHearing(ui: () => UiHarness): void {
  describe("a screen reader", () => {
    it("announces that an answer starts and is ready, not each word", async () => {
      const gate = createGate();
      const words = Array.from({ length: 60 }, (_, index) => text(`word${index} `));
      ui().models.script(reply(...words.slice(0, 30), waitFor(gate), ...words.slice(30), finish("stop")));
      const app = await ui().open({ model: "scripted" });
      await app.page.evaluate(LISTEN);
      const answer = await app.send("Talk");
      await answer.getByText("word29").waitFor();
      expect(await answer.getAttribute("aria-busy")).toBe("true");
      gate.open();
      await answer.locator(".answer-foot").waitFor();
      expect(await answer.getAttribute("aria-busy")).toBe("false");
      await expect.poll(() => app.page.evaluate("window.heard")).toContain("The answer is ready.");
      const heard = await app.page.evaluate<string[]>("window.heard");
      expect(heard).toContain("Answering");
      expect(heard.join(" ")).not.toMatch(/word\d/);
      expect(heard.length).toBeLessThan(12);
      expect(app.problems).toEqual([]);
    });

    it("announces nothing that was there before the page opened", async () => {
      const app = await ui().open();
      await app.ask("How many rows are there?");
      await app.page.reload();
      await app.page.locator(".answer-foot").waitFor();
      const said = await app.page.locator(".main > [role=status]").allInnerTexts();
      expect(said).toEqual([""]);
    });
  });

  describe("reduced motion", () => {
    it("shows no animation to users who ask for reduced motion", async () => {
      const app = await ui().open();
      await app.page.emulateMedia({ reducedMotion: "reduce" });
      const gate = createGate();
      ui().models.script(reply(waitFor(gate), text("x"), finish("stop")));
      await ui().request("PATCH", `/thread/${app.threadId}`, { model: "openai:scripted" });
      const answer = await app.send("Wait");
      const sign = answer.locator(".spin");
      await sign.waitFor();
      expect(await sign.evaluate(readAnimation)).toBe("none");
      await app.page.emulateMedia({ reducedMotion: "no-preference" });
      expect(await sign.evaluate(readAnimation)).not.toBe("none");
      gate.open();
      await answer.locator(".answer-foot").waitFor();
    });
  });
}

function readAnimation(element: object): string {
  const read = Reflect.get(globalThis, "getComputedStyle") as (of: object) => { animationName: string };
  return read(element).animationName;
}

/** Records each change of an active live region. */
const LISTEN = `(() => {
  window.heard = [];
  const isLive = (node) => {
    const region = node.closest?.("[aria-live], [role=status], [role=alert], [role=log]");
    return region && region.getAttribute("aria-live") !== "off" ? region : undefined;
  };
  new MutationObserver((changes) => {
    for (const { target } of changes) {
      const region = isLive(target instanceof Element ? target : target.parentElement);
      if (region && region.textContent !== "") window.heard.push(region.textContent.trim());
    }
  }).observe(document.body, { subtree: true, childList: true, characterData: true });
})()`;
