import { failure } from "../../output.ts";
import { readModelText } from "../../model-text.ts";
import type { Tool } from "../../tool.ts";
import type { BrowserAct } from "./actions/action.ts";
import { browserActionInput, type BrowserActionInput, type BrowserActionName } from "./actions/input.ts";
import { usePage } from "./browser-use.ts";
import { elementActions } from "./actions/element-actions.ts";
import { pageActions } from "./actions/page-actions.ts";
import { tabActions } from "./actions/tab-actions.ts";

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
