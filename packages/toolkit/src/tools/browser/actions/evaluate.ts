import { AtollError } from "@atoll/sandbox";
import type { Locator } from "playwright-core";
import { orElse } from "../../../browser/page/deadline.ts";
import { type ActionScene, findTarget } from "./action.ts";
import type { BrowserActionInput } from "./input.ts";

const timeoutMs = 30_000;

/** Runs the model's script. Its value is turned into text in the page, so that no more than the model reads leaves it. */
export async function evaluate(input: BrowserActionInput, scene: ActionScene): Promise<string> {
  const most = Math.floor(scene.context.maxOutputChars / 2);
  const source = wrap(input.script ?? "", most);
  const target = input.ref === undefined ? undefined : await findTarget(input, scene);
  const work = target
    ? (target as Locator).evaluate(new Function("element", `return (${source})(element)`) as () => unknown)
    : scene.page.evaluate(`(${source})()`);
  const text = await orElse<unknown>(undefined, keepError(work), timeoutMs);
  if (text instanceof Error) throw text;
  if (typeof text !== "string")
    throw new AtollError("timeout", `the script has given no value within ${timeoutMs / 1000} s`);
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
