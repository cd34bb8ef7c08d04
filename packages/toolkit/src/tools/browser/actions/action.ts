import type { Page } from "playwright-core";
import { z } from "zod";
import type { Browser } from "../../../browser/browser.ts";
import type { Target } from "../../../browser/page/references.ts";
import type { ToolContext } from "../../../tool.ts";
import { refInput, snapshotInput } from "../browser-use.ts";

const ACTION_NAMES = [
  "back",
  "forward",
  "reload",
  "scroll",
  "press",
  "select",
  "check",
  "hover",
  "drag",
  "wait_for",
  "tabs",
  "new_tab",
  "switch_tab",
  "close_tab",
  "upload",
  "dialog",
  "wait_downloads",
  "evaluate",
] as const;

export const browserActionInput = z.strictObject({
  action: z.enum(ACTION_NAMES),
  ref: refInput.optional().describe("For scroll, press, select, check, hover, drag, upload and evaluate"),
  to_ref: refInput.optional().describe("For drag: where to"),
  direction: z.enum(["up", "down", "left", "right"]).optional().describe("For scroll. Default: down"),
  key: z.string().min(1).max(50).optional().describe("For press, e.g. Enter, Escape, ArrowDown, Control+a"),
  values: z
    .array(z.string().max(1000))
    .max(100)
    .optional()
    .describe("For select: labels or values of options"),
  checked: z.boolean().optional().describe("For check. Default: true"),
  text: z
    .string()
    .max(10_000)
    .optional()
    .describe("For wait_for: what must appear. For dialog: the answer to a prompt"),
  text_gone: z.string().max(10_000).optional().describe("For wait_for: what must disappear"),
  seconds: z.number().min(0).max(120).optional().describe("For wait_for: at most, or just this long"),
  tab: z.int().min(1).optional().describe("For switch_tab and close_tab"),
  accept: z.boolean().optional().describe("For dialog. Default: true"),
  paths: z.array(z.string().min(1)).min(1).max(20).optional().describe("For upload: files of the workspace"),
  script: z
    .string()
    .min(1)
    .max(100_000)
    .optional()
    .describe("For evaluate: a JavaScript expression or function; with ref, it gets the element"),
  snapshot: snapshotInput,
});

export type BrowserActionName = (typeof ACTION_NAMES)[number];
export type BrowserActionInput = z.infer<typeof browserActionInput>;

export interface ActionScene {
  readonly page: Page;
  readonly browser: Browser;
  readonly signal: AbortSignal;
  readonly context: ToolContext;
}

/** One action of browser_action. */
export interface BrowserAct {
  /** Required arguments. */
  readonly needs?: readonly (keyof BrowserActionInput)[];
  /** Whether the page is shown afterwards unless the call says otherwise. Default: true. */
  readonly hasSnapshot?: boolean;
  /** Returns the line that reports it to the model. */
  run(input: BrowserActionInput, scene: ActionScene): Promise<string>;
}

export function findTarget(
  { ref = "" }: BrowserActionInput,
  { page, browser }: ActionScene,
): Promise<Target> {
  return browser.references.find(page, ref);
}
