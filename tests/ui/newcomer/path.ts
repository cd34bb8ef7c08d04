import { readFile } from "node:fs/promises";
import type { Locator, Page } from "playwright-core";
import type { AppPage } from "../../support/ui/app-page.ts";
import type { Newcomer } from "./newcomers.ts";

/** The parts of a notebook that are checked. */
export interface Notebook {
  readonly nbformat: number;
  readonly cells: readonly {
    readonly id: string;
    readonly cell_type: string;
    readonly source: readonly string[];
    readonly outputs?: readonly { readonly data?: Readonly<Record<string, unknown>> }[];
  }[];
}

/** Does what a user does in the first two minutes, and returns the downloads. */
export async function walkTheFirstMinutes(
  app: AppPage,
  { sample, starter, answer, csv, question, labels }: Newcomer,
): Promise<{ plot: Buffer; notebook: Notebook }> {
  const { page } = app;
  await page.getByText(sample).waitFor();
  const starters = page.getByRole("list", { name: labels.starters });
  const first = await app.answerTo(() => starters.getByRole("button", { name: starter }).click());
  await first.getByText(answer).first().waitFor();
  await waitForChart(first);

  const [picker] = await Promise.all([
    page.waitForEvent("filechooser"),
    page.getByRole("button", { name: labels.attach }).click(),
  ]);
  const uploaded = page.waitForResponse(
    (response) => /\/thread\/[^/]+\/data$/.test(response.url()) && response.request().method() === "POST",
  );
  await picker.setFiles({ name: csv.name, mimeType: "text/csv", buffer: Buffer.from(csv.text) });
  await uploaded;

  await page.getByRole("textbox", { name: labels.message }).fill(question);
  const second = await app.answerTo(() => page.keyboard.press("Enter"));
  await second.locator(".answer-foot").waitFor();
  await waitForChart(second);

  await second.getByRole("button", { name: labels.wholeTable }).first().click();
  const dialog = page.getByRole("dialog", { name: labels.table });
  await dialog.getByRole("cell", { name: csv.expected }).first().waitFor();
  await dialog.getByRole("button", { name: labels.close }).click();

  const plot = await download(page, () => second.getByRole("link", { name: labels.savePng }).first().click());
  await page.getByRole("button", { name: labels.more, exact: true }).click();
  const notebook = await download(page, () => page.getByRole("menuitem", { name: labels.notebook }).click());
  return { plot, notebook: JSON.parse(notebook.toString()) as Notebook };
}

async function waitForChart(answer: Locator): Promise<void> {
  await answer.locator("figure img").first().waitFor();
}

async function download(page: Page, act: () => Promise<unknown>): Promise<Buffer> {
  const [saved] = await Promise.all([page.waitForEvent("download"), act()]);
  return readFile(await saved.path());
}
