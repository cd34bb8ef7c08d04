import type { TabInfo } from "@atoll/toolkit";
import type { z } from "zod";
import type { browserStateSchema } from "@atoll/protocol";

/** Where a browser is, as the wire names it. */
export function toWireTabs(tabs: readonly TabInfo[]): z.infer<typeof browserStateSchema> {
  const current = tabs.find(({ isCurrent }) => isCurrent);
  return {
    url: current?.url ?? "",
    title: current?.title ?? "",
    tabs: tabs.map(({ id, url, title, isCurrent }) => ({ id, url, title, is_current: isCurrent })),
  };
}
