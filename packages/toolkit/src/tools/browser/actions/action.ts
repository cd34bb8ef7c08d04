import type { Page } from "playwright-core";
import type { Browser } from "../../../browser/browser.ts";
import type { Target } from "../../../browser/page/references.ts";
import type { ToolContext } from "../../../tool.ts";
import type { BrowserActionInput } from "./input.ts";

export interface ActionScene {
  readonly page: Page;
  readonly browser: Browser;
  readonly signal: AbortSignal;
  readonly context: ToolContext;
}

/** One of the things that browser_action does. */
export interface BrowserAct {
  /** Arguments that it cannot do without. */
  readonly needs?: readonly (keyof BrowserActionInput)[];
  /** Whether the page is shown afterwards, where nothing is said. Default: true. */
  readonly hasSnapshot?: boolean;
  /** Gives what the model is told of it. */
  run(input: BrowserActionInput, scene: ActionScene): Promise<string>;
}

export function findTarget(
  { ref = "" }: BrowserActionInput,
  { page, browser }: ActionScene,
): Promise<Target> {
  return browser.references.find(page, ref);
}
