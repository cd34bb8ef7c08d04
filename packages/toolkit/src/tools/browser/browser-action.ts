import { defineTool } from "../../define-tool.ts";
import { failure } from "../../output.ts";
import { type BrowserAct, browserActionInput, type BrowserActionName } from "./actions/action.ts";
import { elementActions } from "./actions/element-actions.ts";
import { pageActions } from "./actions/page-actions.ts";
import { tabActions } from "./actions/tab-actions.ts";
import { usePage } from "./browser-use.ts";

const actions: Record<BrowserActionName, BrowserAct> = { ...pageActions, ...elementActions, ...tabActions };

export const browserAction = defineTool(import.meta.url, {
  name: "browser_action",
  input: browserActionInput,
  isReadOnly: false,
  isOpenWorld: true,
  async run(given, context) {
    const { needs = [], hasSnapshot = true, run } = actions[given.action];
    const missing = needs.filter((name) => given[name] === undefined);
    if (missing.length > 0) return failure(`The action ${given.action} needs: ${missing.join(", ")}.`);
    return usePage(context, (page, browser, signal) => run(given, { page, browser, signal, context }), {
      hasSnapshot: given.snapshot ?? hasSnapshot,
    });
  },
});
