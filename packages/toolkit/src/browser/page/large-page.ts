import type { JSHandle, Page } from "playwright-core";
import { COUNT_NODES, WALK_PAGE } from "./page-scripts.ts";

const MAX_NODES = 20_000;
const MAX_PAGE_CHARS = 1_000_000;

/** Whether the usual snapshot of it would be too much. */
export async function isLargePage(page: Page): Promise<boolean> {
  let left = { nodes: MAX_NODES, chars: MAX_PAGE_CHARS };
  for (const frame of page.frames()) {
    const counted = frame.evaluate(`(${COUNT_NODES})(${JSON.stringify(left)})`) as Promise<typeof left>;
    left = await counted.catch(() => left);
    if (!(left.nodes > 0 && left.chars > 0)) return true;
  }
  return false;
}

export interface LargePagePart {
  readonly text: string;
  readonly isPartial: boolean;
  /** Reference → element. Lives in the page. */
  readonly elements: JSHandle<Map<string, unknown>>;
}

/** A part of a large page, with references of its own kind. Frames in it are left out. */
export async function walkLargePage(
  page: Page,
  bounds: { skipChars: number; maxChars: number },
): Promise<LargePagePart> {
  const walked = await page.evaluateHandle(`(${WALK_PAGE})(${JSON.stringify(bounds)})`);
  const [text, isPartial, elements] = await Promise.all([
    walked.evaluate(({ text }: { text: string }) => text),
    walked.evaluate(({ isPartial }: { isPartial: boolean }) => isPartial),
    walked.evaluateHandle(({ elements }: { elements: Map<string, unknown> }) => elements),
  ]);
  await walked.dispose();
  return { text: String(text).slice(0, bounds.maxChars), isPartial: isPartial === true, elements };
}
