import type { Browser } from "../../browser/browser.ts";
import { toAtollError } from "../../browser/fault.ts";
import { takeSnapshot } from "../../browser/page/snapshot.ts";
import type { TabInfo } from "../../browser/page/tabs.ts";
import { success } from "../../output.ts";
import type { ToolContext, ToolOutput } from "../../tool.ts";

const SHORT_SNAPSHOT_CHARS = 6000;

/** What the model reads after it has done something: where it is, what happened by itself, what the page shows. */
export async function reportPage(
  browser: Browser,
  { signal, maxOutputChars }: ToolContext,
  { said = "", hasSnapshot = true }: { said?: string; hasSnapshot?: boolean } = {},
): Promise<ToolOutput> {
  const maxChars = Math.min(SHORT_SNAPSHOT_CHARS, Math.floor(maxOutputChars / 2));
  const snapshot = hasSnapshot ? await showSnapshot(browser, maxChars, signal) : undefined;
  const tabs = await browser.tabs.list();
  const notes = takeNotes(browser);
  const current = tabs.find(({ isCurrent }) => isCurrent);
  const lines = [
    ...(said ? [said] : []),
    ...notes.map((note) => `[${note}]`),
    `Page: ${current?.url ?? "none"}`,
    ...(current?.title ? [`Title: ${current.title}`] : []),
    ...(tabs.length > 1 ? listTabs(tabs) : []),
    ...(snapshot ? [snapshot] : []),
  ];
  return success(lines.join("\n"), {
    data: {
      url: current?.url ?? null,
      title: current?.title ?? null,
      tabs: tabs.map(({ id, url, title, isCurrent }) => ({ id, url, title, is_current: isCurrent })),
      notes,
    },
  });
}

export function listTabs(tabs: readonly TabInfo[]): string[] {
  return [
    "Tabs:",
    ...tabs.map(
      ({ id, title, url, isCurrent }) =>
        `- ${id}: ${title || "(no title)"} (${url})${isCurrent ? " [current]" : ""}`,
    ),
  ];
}

function takeNotes(browser: Browser): string[] {
  const refused = browser.refusals.take();
  const blocked = `The network policy does not allow these hosts, so the page may lack something: ${refused.slice(0, 10).join(", ")}.`;
  return [...browser.notes.take(), ...(refused.length > 0 ? [blocked] : [])];
}

/** A page that cannot be read does not fail the action before it. */
async function showSnapshot(browser: Browser, maxChars: number, signal: AbortSignal): Promise<string> {
  try {
    const { text, isPartial } = await browser.act(
      (page) => takeSnapshot(page, browser.references, { signal, maxChars }),
      { signal },
    );
    const more = isPartial ? `\n[There is more: browser_snapshot with offset ${text.length}.]` : "";
    return text === "" ? "(The page shows nothing.)" : `Snapshot:\n${text}${more}`;
  } catch (error) {
    const { code, message } = toAtollError(error, signal);
    if (code === "aborted") throw error;
    return `[No snapshot: ${message}]`;
  }
}
