import { expect, it } from "vitest";
import type { UiHarness } from "../../support/ui/ui-harness.ts";
import { runCode } from "./answers.harness.ts";

const ODD_TABLE = `
import pandas as pd
pd.DataFrame({
    "城市": ["上海", "北京"],
    "missing": [1.5, None],
    "day": pd.to_datetime(["2024-03-01", "2024-03-02 08:30:00"], format="mixed"),
    "is_open": [True, False],
    "html": ["<script>window.hacked = true</script>", "<img src=x onerror='window.hacked = true'>"],
    "long": ["x" * 300, "short"],
    "year": [2024, 1999],
    "third": [1 / 3, 1e21],
})
`;

export function testOddTables(ui: () => UiHarness): void {
  it("shows Chinese, missing values, dates, booleans, HTML as text and long cells cut", async () => {
    const app = await ui().open();
    const answer = await runCode(ui(), app, ODD_TABLE);
    const rows = answer.getByRole("table").getByRole("row");
    await rows.first().waitFor();
    const cells = await rows.nth(1).getByRole("cell").allInnerTexts();
    expect(cells.with(5, "")).toEqual([
      "上海",
      "1.5",
      "2024-03-01",
      "true",
      "<script>window.hacked = true</script>",
      "",
      "2024",
      "0.333333",
    ]);
    expect((await rows.nth(2).getByRole("cell").allInnerTexts()).slice(1, 4)).toEqual([
      "–",
      "2024-03-02 08:30:00",
      "false",
    ]);
    const long = rows.nth(1).getByRole("cell").nth(5);
    expect((await long.boundingBox())?.width ?? Infinity).toBeLessThan(420);
    expect(await long.getAttribute("title")).toBe("x".repeat(300));
    const card = await answer.getByRole("group", { name: /^Python/ }).boundingBox();
    expect(card?.width ?? Infinity).toBeLessThan(800);

    await answer.getByRole("button", { name: "Full table" }).click();
    const grid = app.page.getByRole("dialog").getByRole("table");
    await grid.getByText("上海").waitFor();
    expect(await app.page.evaluate("window.hacked")).toBeUndefined();
    expect(app.problems).toEqual([]);
  });

  it("scrolls a very wide table without scrolling the page, on a phone too", async () => {
    const app = await ui().open({ width: 390, height: 800 });
    const answer = await runCode(
      ui(),
      app,
      "import pandas as pd\npd.DataFrame([[n for n in range(120)]] * 8, columns=[f'column {n}' for n in range(120)])",
    );
    await answer.getByText("8 rows × 120 columns").waitFor();
    await expect
      .poll(() => app.page.evaluate("document.documentElement.scrollWidth"))
      .toBeLessThanOrEqual(390);
    const foot = await answer.getByRole("button", { name: "Download as CSV" }).boundingBox();
    expect((foot?.x ?? Infinity) + (foot?.width ?? 0)).toBeLessThanOrEqual(390);
    await answer.getByRole("columnheader", { name: "column 119" }).scrollIntoViewIfNeeded();
    expect(await answer.getByRole("columnheader", { name: "column 119" }).isVisible()).toBe(true);
    expect(app.problems).toEqual([]);
  });

  it("sorts columns of the same name separately and shows the index first", async () => {
    const app = await ui().open();
    const answer = await runCode(
      ui(),
      app,
      "import pandas as pd\npd.DataFrame([[n, -n] for n in range(300)], columns=['v', 'v'])",
    );
    const second = answer.getByRole("columnheader", { name: "v" }).nth(1);
    await second.getByRole("button").click();
    const first = answer.getByRole("table").getByRole("row").nth(1).getByRole("cell");
    await expect.poll(() => first.allInnerTexts()).toEqual(["299", "-299"]);

    const grouped = await runCode(
      ui(),
      app,
      "df = pd.DataFrame({'city': ['Oslo', 'Bergen'] * 2, 'year': [2023, 2023, 2024, 2024], 'sales': [1, 2, 3, 4]})\ndf.groupby(['city', 'year']).sum()",
    );
    const table = grouped.getByRole("table");
    expect(await table.getByRole("columnheader").allInnerTexts()).toEqual(["city", "year", "sales"]);
    expect(await table.getByRole("row").nth(1).getByRole("rowheader").allInnerTexts()).toEqual([
      "Bergen",
      "2023",
    ]);
    await table.getByRole("columnheader", { name: "year" }).getByRole("button").click();
    await table.getByRole("columnheader", { name: "year" }).getByRole("button").click();
    expect(await table.getByRole("row").nth(1).getByRole("rowheader").allInnerTexts()).toEqual([
      "Bergen",
      "2024",
    ]);
    expect(app.problems).toEqual([]);
  });
}
