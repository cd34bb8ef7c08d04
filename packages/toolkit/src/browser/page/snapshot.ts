import { AtollError } from "@atoll/sandbox";
import type { Page } from "playwright-core";
import { orElse } from "./bounds.ts";
import { isLargePage, walkLargePage } from "./large-page.ts";
import type { References } from "./references.ts";

const COUNT_TIMEOUT_MS = 5000;
const SNAPSHOT_TIMEOUT_MS = 15_000;

export interface SnapshotOptions {
  readonly signal: AbortSignal;
  /** Only this element and what is in it. */
  readonly ref?: string | undefined;
  /** Leaves out this much of the beginning. */
  readonly skipChars?: number;
  readonly maxChars: number;
}

export interface Snapshot {
  readonly text: string;
  /** There is more of the page after it. */
  readonly isPartial: boolean;
}

/**
 * A page as text: what it shows, by role and name, with a reference for each element. How much of a page leaves the
 * browser is bounded, however large the page is.
 */
export async function takeSnapshot(
  page: Page,
  references: References,
  { signal, ref, skipChars = 0, maxChars }: SnapshotOptions,
): Promise<Snapshot> {
  if (await orElse(false, isLargePage(page), COUNT_TIMEOUT_MS)) {
    if (ref !== undefined)
      throw new AtollError(
        "invalid_argument",
        "the page is too large to show one element of it: leave ref out and give an offset",
      );
    return takeLargeSnapshot(page, references, { skipChars, maxChars });
  }
  const around = { mode: "ai" as const, signal, timeout: SNAPSHOT_TIMEOUT_MS };
  const target = ref === undefined ? page : await references.find(page, ref);
  const whole = await ("ariaSnapshot" in target ? target : page).ariaSnapshot(around);
  const end = skipChars + maxChars;
  return { text: whole.slice(skipChars, end), isPartial: whole.length > end };
}

async function takeLargeSnapshot(
  page: Page,
  references: References,
  bounds: { skipChars: number; maxChars: number },
): Promise<Snapshot> {
  const part = await orElse(undefined, walkLargePage(page, bounds), SNAPSHOT_TIMEOUT_MS);
  if (!part) throw new AtollError("timeout", "the page does not answer: it may be busy, or too large");
  references.keepLarge(page, part.elements);
  return { text: part.text, isPartial: part.isPartial };
}
