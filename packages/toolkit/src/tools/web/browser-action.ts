import { failure } from "../../output.ts";
import { readModelText } from "../../model-text.ts";
import type { Tool } from "../../tool.ts";
import type { BrowserAct } from "./browser-act.ts";
import {
  browserActionInput,
  type BrowserActionInput,
  type BrowserActionName,
} from "./browser-action-input.ts";
import { usePage } from "./browser-use.ts";
import { elementActions } from "./element-actions.ts";
import { pageActions } from "./page-actions.ts";
import { tabActions } from "./tab-actions.ts";

const actions: Record<BrowserActionName, BrowserAct> = { ...pageActions, ...elementActions, ...tabActions };

export const browserAction: Tool<BrowserActionInput> = {
  name: "browser_action",
  description: readModelText(import.meta.url),
  input: browserActionInput,
  isReadOnly: false,
  async run(given, context) {
    const { needs = [], hasSnapshot = true, run } = actions[given.action];
    const missing = needs.filter((name) => given[name] === undefined);
    if (missing.length > 0) return failure(`The action ${given.action} needs: ${missing.join(", ")}.`);
    return usePage(context, (page, browser, signal) => run(given, { page, browser, signal, context }), {
      hasSnapshot: given.snapshot ?? hasSnapshot,
    });
  },
};
