import { finish, reply, toolCall } from "../../support/scripted-openai/index.ts";
import type { UiHarness } from "../../support/ui/ui-harness.ts";

/** Threads with every kind of content, created in advance. */
export interface Threads {
  readonly empty: string;
  /** A table and a plot, and a branch of it. */
  readonly answer: string;
  /** A run that leaves a file, and one that fails. */
  readonly error: string;
  /** A call that waits for approval. */
  readonly approval: string;
  /** The path of the shared link to `answer`. */
  readonly shared: string;
}

const words = {
  en: {
    questions: ["What are the top 5 categories by spend?", "Show me monthly trends"],
    order: "Save a note about the categories",
    runs: "A plot by hand",
  },
  zh: {
    questions: ["支出最高的5个类别是什么？", "每月支出趋势"],
    order: "把类别的说明记下来",
    runs: "手动作图",
  },
} as const;

export async function makeThreads(ui: UiHarness, language: keyof typeof words): Promise<Threads> {
  const { questions, order, runs } = words[language];
  const [empty, answer, error, approval] = await Promise.all([
    createThread(ui, {}),
    createThread(ui, {}),
    createThread(ui, {}),
    createThread(ui, { model: "openai:scripted", approvals: "on" }),
  ]);
  ui.models.script(reply(toolCall("file_write", { file: "notes.md", content: note }), finish("tool_calls")));
  const asked: string[] = [];
  for (const message of questions) {
    const { message_id: id } = await ui.request("POST", `/thread/${answer}/message`, { message });
    asked.push(String(id));
  }
  await ui.request("POST", `/thread/${answer}/branch`, { message_id: asked[0] });
  await ui.request("POST", `/thread/${error}/code`, { code: saving });
  await ui.request("POST", `/thread/${error}/code`, { code: failing });
  await ui.request("PATCH", `/thread/${error}`, { title: runs });
  await ui.request("PATCH", `/thread/${approval}`, { title: order });
  await ui.request("POST", `/thread/${approval}/messages`, { message: order });
  const { share_id: shared } = await ui.request("POST", `/thread/${answer}/share`);
  return { empty, answer, error, approval, shared: `/ui/shared#/shared/${String(shared)}` };
}

async function createThread(ui: UiHarness, options: object): Promise<string> {
  const { thread_id: id } = await ui.request("POST", "/thread/new", options);
  return String(id);
}

const note = "# Categories\n\n- Rent is the largest\n- Groceries are next\n";

const saving = `
import matplotlib.pyplot as plt
df.groupby("category").amount.sum().nlargest(5).plot.barh()
plt.savefig("categories.png")
`.trim();

const failing = `
import sys
print("reading", len(df), "rows")
print("no such column yet", file=sys.stderr)
totals = df.groupby("category").amount.sum()
totals["a category that nobody has ever spent anything on"]
`.trim();
