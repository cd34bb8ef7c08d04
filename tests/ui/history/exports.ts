import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { answer as say } from "../../support/scripted-openai/index.ts";
import type { AppPage } from "../../support/ui/app-page.ts";
import type { UiHarness } from "../../support/ui/ui-harness.ts";
import { runPython } from "../../support/ui/tool-replies.ts";

interface Notebook {
  readonly nbformat: number;
  readonly cells: readonly {
    readonly cell_type: string;
    readonly source: string | string[];
    readonly outputs?: readonly {
      output_type: string;
      data?: Readonly<Record<string, unknown>>;
      text?: unknown;
    }[];
  }[];
}

export function describeExports(ui: () => UiHarness): void {
  describe("an export", () => {
    it("exports a notebook with questions, code, tables and plots", async () => {
      const app = await ui().open();
      await app.ask("Show me monthly trends");
      const { name, text } = await save(app, "Export as notebook");
      expect(name).toBe("Show me monthly trends.ipynb");
      const notebook = JSON.parse(text) as Notebook;
      expect(notebook.nbformat).toBe(4);
      const sources = notebook.cells.map(({ source }) => [source].flat().join(""));
      expect(sources.join("\n")).toContain("Show me monthly trends");
      const code = notebook.cells.filter((cell) => cell.cell_type === "code");
      expect(code.map(({ source }) => [source].flat().join("")).join("\n")).toContain("groupby");
      const kinds = code.flatMap(({ outputs = [] }) => outputs.flatMap(({ data = {} }) => Object.keys(data)));
      expect(kinds).toContain("image/png");
      expect(kinds).toContain("text/html");
      expect(app.problems).toEqual([]);
    });

    it("exports the conversation as Markdown and all of it as JSON", async () => {
      ui().models.script(runPython("print('six', 6)"), say("It is **six**."));
      const app = await ui().open({ model: "scripted" });
      await app.ask("How much: 1/2?");
      const markdown = await save(app, "Export as Markdown");
      // A name that is valid on every system.
      expect(markdown.name).toMatch(/^How much.*\.md$/);
      expect(markdown.name).not.toMatch(/[/:?]/);
      expect(markdown.text).toContain("How much: 1/2?");
      expect(markdown.text).toMatch(/```python\n.*print\('six', 6\)\n```/s);
      expect(markdown.text).toContain("It is **six**.");
      const json = await save(app, "Export as JSON");
      const { thread, events } = JSON.parse(json.text) as {
        thread: { id: string };
        events: { type: string; text?: string; response?: string }[];
      };
      expect(thread.id).toBe(app.threadId);
      expect(events.find(({ type }) => type === "message")?.text).toBe("How much: 1/2?");
      expect(events.find(({ type }) => type === "output")?.text).toBe("six 6\n");
      expect(events.at(-1)?.response).toBe("It is **six**.");
      expect(app.problems).toEqual([]);
    });
  });
}

async function save({ page }: AppPage, entry: string): Promise<{ name: string; text: string }> {
  await page.getByRole("button", { name: "More", exact: true }).click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("menuitem", { name: entry }).click(),
  ]);
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), "utf8") };
}
