import type { BrowserAct } from "./action.ts";
import { listTabs } from "../page-report.ts";

export const tabActions = {
  tabs: {
    hasSnapshot: false,
    async run(_, { browser }) {
      return listTabs(await browser.tabs.list()).join("\n");
    },
  },
  new_tab: {
    hasSnapshot: false,
    async run(_, { browser }) {
      await browser.tabs.open();
      return `Opened tab ${browser.tabs.currentId}.`;
    },
  },
  switch_tab: {
    needs: ["tab"],
    async run({ tab = 0 }, { browser }) {
      await browser.tabs.select(tab);
      return `Tab ${tab} is the current one.`;
    },
  },
  close_tab: {
    async run({ tab }, { browser }) {
      const id = tab ?? browser.tabs.currentId;
      await browser.tabs.close(id);
      return `Closed tab ${id}.`;
    },
  },
} satisfies Record<string, BrowserAct>;
