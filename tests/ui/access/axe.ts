import axe from "axe-core";
import type { Page } from "playwright-core";

/** Axe's serious and critical findings, with their elements. */
export async function findBarriers(page: Page): Promise<string[]> {
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axe.source);
  // Elements that fade in do not have their final colours yet.
  await page.evaluate(
    "Promise.allSettled(document.getAnimations().filter((each) => each.effect.getTiming().iterations !== Infinity).map((each) => each.finished))",
  );
  const violations = await page.evaluate<Violation[]>(
    `axe.run(document, { resultTypes: ["violations"], iframes: false }).then((found) => found.violations)`,
  );
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
}

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string }[];
}
