import { expect, it } from "vitest";
import type { UiHarness } from "../../support/ui/ui-harness.ts";

export function testWelcome(ui: () => UiHarness): void {
  it.each([
    ["en", "transactions.csv is loaded: 6,218 rows, 6 columns", "Suggested questions"],
    ["zh", "已载入 transactions.csv：6,218 行，6 列", "推荐问题"],
  ] as const)(
    "the first screen shows the sample table and what to ask of it (%s)",
    async (language, words, begin) => {
      const app = await ui().open({ language });
      await app.page.getByText(words).waitFor();
      const columns = await app.page
        .getByRole("list", { name: "transactions.csv" })
        .getByRole("listitem")
        .allInnerTexts();
      expect(columns.filter((name) => name !== "")).toEqual([
        "date",
        "merchant",
        "category",
        "amount",
        "account",
        "city",
      ]);
      await app.page.getByRole("list", { name: begin }).waitFor();
      await app.page.getByRole("list", { name: begin }).waitFor();
      const starters = await app.page.getByRole("list", { name: begin }).getByRole("button").allInnerTexts();
      expect(starters.length).toBeGreaterThan(3);
      expect(starters.every((starter) => /\p{Script=Han}/u.test(starter) === (language === "zh"))).toBe(true);
      const ofColumns = starters.filter((starter) =>
        /amount|cit(y|ies)|category|merchant|date|account/.test(starter),
      );
      expect(ofColumns.length).toBeGreaterThan(3);
      expect(app.problems).toEqual([]);
    },
  );

  it("asks a suggested question on a click", async () => {
    const app = await ui().open();
    const starter = app.page.getByRole("button", { name: "Average amount by category" });
    const answer = await app.answerTo(() => starter.click());
    await answer.getByText("Built-in analyst").waitFor();
    expect(await app.page.getByRole("article", { name: "You" }).innerText()).toContain(
      "Average amount by category",
    );
    await answer.getByRole("cell").first().waitFor();
    expect(app.problems).toEqual([]);
  });
}
