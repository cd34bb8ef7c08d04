import { AtollError } from "@atoll/sandbox";
import type { ElementHandle, JSHandle, Locator, Page } from "playwright-core";

/** What can be done with an element, whichever kind of snapshot named it. */
export type Target = Locator | ElementHandle;

/** Names of elements in the latest snapshot of a page, such as `e12`. */
export class References {
  /** Of pages too large for the usual snapshot: `x1`, `x2`, … → element, kept in the page. */
  readonly #large = new WeakMap<Page, JSHandle<Map<string, unknown>>>();

  keepLarge(page: Page, elements: JSHandle<Map<string, unknown>>): void {
    this.#large.set(page, elements);
  }

  /** Fails with `not_found` for one that is of an older page or was made up. */
  async find(page: Page, ref: string): Promise<Target> {
    if (/^x\d+$/.test(ref)) return this.#findLarge(page, ref);
    if (!/^(f\d+)?e\d+$/.test(ref)) throw stale(ref);
    const locator = page.getByRef(ref);
    const count = await locator.count().catch(() => 0);
    if (count !== 1) throw stale(ref);
    return locator;
  }

  async #findLarge(page: Page, ref: string): Promise<Target> {
    const known = this.#large.get(page);
    // The page's own script world is gone after a navigation, and the elements with it.
    const handle = await known?.evaluateHandle((map, name) => map.get(name), ref).catch(() => undefined);
    const element = handle?.asElement();
    if (!element) throw stale(ref);
    return element;
  }
}

function stale(ref: string): AtollError {
  return new AtollError(
    "not_found",
    `there is no element ${JSON.stringify(ref.slice(0, 40))} on the page now: take a new snapshot with browser_snapshot, and use a ref of it`,
  );
}
