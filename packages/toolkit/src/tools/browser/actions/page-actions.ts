import { setTimeout as sleep } from "node:timers/promises";
import { AtollError } from "@atoll/sandbox";
import type { Page, Locator } from "playwright-core";
import { orElse } from "../../../browser/page/bounds.ts";
import { type BrowserAct, type ActionScene, findTarget, type BrowserActionInput } from "./action.ts";

const DEFAULT_WAIT_SECONDS = 10;
const DOWNLOADS_TIMEOUT_MS = 60_000;

export const pageActions = {
  back: { run: (_, { page }) => travel(page.goBack(loading), "back") },
  forward: { run: (_, { page }) => travel(page.goForward(loading), "forward") },
  reload: {
    async run(_, { page, signal }) {
      await page.reload({ ...loading, signal });
      return "Reloaded.";
    },
  },
  scroll: {
    async run({ ref, direction = "down" }, { page, browser }) {
      if (ref !== undefined) {
        await (await browser.references.find(page, ref)).scrollIntoViewIfNeeded();
        return `Scrolled to ${ref}.`;
      }
      await scrollPage(page, direction);
      return `Scrolled ${direction}.`;
    },
  },
  wait_for: {
    async run({ text, text_gone, seconds }, { page, signal }) {
      const timeout = (seconds ?? DEFAULT_WAIT_SECONDS) * 1000;
      if (text !== undefined) {
        await page.getByText(text).first().waitFor({ state: "visible", timeout, signal });
        return "The text is there.";
      }
      if (text_gone !== undefined) {
        await page.getByText(text_gone).first().waitFor({ state: "hidden", timeout, signal });
        return "The text is gone.";
      }
      await sleep(timeout, undefined, { signal });
      return `Waited ${timeout / 1000} s.`;
    },
  },
  wait_downloads: {
    hasSnapshot: false,
    async run(_, { browser: { downloads } }) {
      const isDone = await orElse(
        false,
        downloads.settled().then(() => true),
        DOWNLOADS_TIMEOUT_MS,
      );
      if (!isDone) throw new AtollError("timeout", `${downloads.count} downloads are still under way`);
      return "No download is under way.";
    },
  },
  dialog: {
    hasSnapshot: false,
    async run({ accept = true, text }, { browser }) {
      browser.dialogs.prepare({ accept, text });
      return `The next dialog will be ${accept ? "accepted" : "dismissed"}.`;
    },
  },
  evaluate: { needs: ["script"], hasSnapshot: false, run: evaluate },
} satisfies Record<string, BrowserAct>;

const loading = { waitUntil: "domcontentloaded" as const, timeout: 30_000 };

async function travel(going: Promise<unknown>, direction: string): Promise<string> {
  await going;
  return `Went ${direction}.`;
}

async function scrollPage(page: Page, direction: "up" | "down" | "left" | "right"): Promise<void> {
  const [x, y] = { up: [0, -0.8], down: [0, 0.8], left: [-0.8, 0], right: [0.8, 0] }[direction] as [
    number,
    number,
  ];
  await page.evaluate(`window.scrollBy(${x} * innerWidth, ${y} * innerHeight)`);
}

const TIMEOUT_MS = 30_000;

/** Runs the model's script. Its value is turned into text in the page, so that no more than the model reads leaves it. */
async function evaluate(input: BrowserActionInput, scene: ActionScene): Promise<string> {
  const most = Math.floor(scene.context.maxOutputChars / 2);
  const source = wrap(input.script ?? "", most);
  const target = input.ref === undefined ? undefined : await findTarget(input, scene);
  const work = target
    ? (target as Locator).evaluate(new Function("element", `return (${source})(element)`) as () => unknown)
    : scene.page.evaluate(`(${source})()`);
  const text = await orElse<unknown>(undefined, keepError(work), TIMEOUT_MS);
  if (text instanceof Error) throw text;
  if (typeof text !== "string")
    throw new AtollError("timeout", `the script has given no value within ${TIMEOUT_MS / 1000} s`);
  return `Value: ${text}`;
}

/** An expression or a function; either may give a promise. */
function wrap(script: string, maxChars: number): string {
  return `async (element) => {
    const given = await (${script}
    );
    const value = await (typeof given === "function" ? given(element) : given);
    const text = value === undefined ? "undefined" : JSON.stringify(value, null, 1) ?? String(value);
    return text.length > ${maxChars} ? text.slice(0, ${maxChars}) + "… (" + text.length + " characters)" : text;
  }`;
}

function keepError(work: Promise<unknown>): Promise<unknown> {
  return work.catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))));
}
