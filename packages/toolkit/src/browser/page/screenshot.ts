import type { Page } from "playwright-core";
import { viewport } from "../chromium/flags.ts";
import type { References } from "./references.ts";

const MAX_HEIGHT = 8000;
const MAX_PNG_BYTES = 3 * 1024 * 1024;
const TIMEOUT_MS = 20_000;

export interface Screenshot {
  readonly bytes: Buffer;
  readonly mime: "image/png" | "image/jpeg";
}

/** Not larger than a model takes: a long page is cut, what is large as PNG comes as JPEG. */
export async function takeScreenshot(
  page: Page,
  references: References,
  { isFullPage, ref, signal }: { isFullPage: boolean; ref?: string | undefined; signal: AbortSignal },
): Promise<Screenshot> {
  const target = ref === undefined ? undefined : await references.find(page, ref);
  const clip = isFullPage ? { clip: await findArea(page), fullPage: true } : {};
  const shoot = (kind: { type: "png" } | { type: "jpeg"; quality: number }) =>
    target
      ? target.screenshot({ ...kind, timeout: TIMEOUT_MS, animations: "disabled" })
      : page.screenshot({ ...kind, ...clip, timeout: TIMEOUT_MS, signal, animations: "disabled" });
  const png = await shoot({ type: "png" });
  if (png.length <= MAX_PNG_BYTES) return { bytes: png, mime: "image/png" };
  return { bytes: await shoot({ type: "jpeg", quality: 60 }), mime: "image/jpeg" };
}

async function findArea(page: Page): Promise<{ x: number; y: number; width: number; height: number }> {
  const [width, height] = (await page.evaluate(
    "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]",
  )) as [unknown, unknown];
  return { x: 0, y: 0, width: bound(width, 2 * viewport.width), height: bound(height, MAX_HEIGHT) };
}

function bound(value: unknown, most: number): number {
  return Math.min(Math.max(Number(value) || 1, 1), most);
}
