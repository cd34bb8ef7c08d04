import { z } from "zod";
import { takeScreenshot } from "../../browser/page/screenshot.ts";
import { defineTool, readModelText } from "../../define-tool.ts";
import type { SubAgentReport, ToolContext, ToolOutput } from "../../tool.ts";
import { notSupported } from "../abilities.ts";
import { openBrowser } from "./browser-use.ts";
import { keepScreenshot } from "./kept-screenshot.ts";

const DEFAULT_MAX_STEPS = 25;
const role = readModelText(import.meta.url, "browser-agent.md");

/** What the browser's agent works with. */
const BROWSER_TOOL_NAMES = [
  "browser_open",
  "browser_snapshot",
  "browser_click",
  "browser_type",
  "browser_action",
  "browser_screenshot",
] as const;

const input = z.strictObject({
  task: z.string().min(1).max(20_000).describe("What to do or to find out, with all that is needed for it"),
  url: z.string().min(1).max(10_000).optional().describe("Where to begin"),
  max_steps: z.int().min(1).max(100).optional().describe("Default: 25"),
  output_schema: z
    .record(z.string(), z.unknown())
    .optional()
    .describe("A JSON Schema: the answer is a JSON value that fits it"),
});

export const browserTool = defineTool(import.meta.url, {
  name: "browser_tool",
  input,
  isReadOnly: false,
  isOpenWorld: true,
  async run({ task, url, max_steps: maxSteps = DEFAULT_MAX_STEPS, output_schema: answerSchema }, context) {
    const { agents, signal, maxOutputChars } = context;
    if (!agents) throw notSupported("this session has no other agents");
    // Fails here, before the agent costs anything, if there is no browser.
    await openBrowser(context);
    const order = {
      agent: "browser" as const,
      role,
      task: url === undefined ? task : `${task}\n\nBegin at ${url}`,
      tools: BROWSER_TOOL_NAMES,
      maxSteps,
      answerSchema,
    };
    const report = await agents.run(order, { signal, maxOutputChars });
    return tell(report, await keepLastView(context));
  },
});

function tell({ text, isError, data, steps }: SubAgentReport, screenshot: string | undefined): ToolOutput {
  const seen = screenshot === undefined ? [] : [`[The last page is in ${screenshot}]`];
  return {
    text: [text, ...seen].filter(Boolean).join("\n"),
    isError,
    data: { result: data ?? null, steps, screenshot: screenshot ?? null },
  };
}

/** What the agent has left on the screen, for the user. A missing screenshot does not fail the task. */
async function keepLastView(context: ToolContext): Promise<string | undefined> {
  try {
    const browser = await openBrowser(context);
    const shot = await browser.act(
      (page, signal) => takeScreenshot(page, browser.references, { isFullPage: false, signal }),
      context,
    );
    return (await keepScreenshot(shot, context)).path;
  } catch (error) {
    if (context.signal.aborted) throw error;
    return undefined;
  }
}
