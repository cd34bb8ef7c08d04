import { joinEnds } from "../../cut.ts";

/** Some clients hand structured content to their model, where megabytes have no place. */
const MOST_CHARS = 100_000;
const LONGEST_TEXT = 30_000;
const LONGEST_LIST = 100;

/** A tool's data as structured content, which is always an object. Of too much, texts and lists are cut; what is still too much is left out. */
export function structure(data: unknown): { structuredContent?: Record<string, unknown> } {
  if (data === undefined) return {};
  const json = JSON.stringify(data);
  if (json === undefined) return {};
  const bounded = json.length <= MOST_CHARS ? (JSON.parse(json) as unknown) : shorten(JSON.parse(json));
  if (JSON.stringify(bounded).length > MOST_CHARS) return {};
  const isObject = typeof bounded === "object" && bounded !== null && !Array.isArray(bounded);
  return { structuredContent: isObject ? (bounded as Record<string, unknown>) : { data: bounded } };
}

function shorten(value: unknown): unknown {
  if (typeof value === "string") return joinEnds(value, LONGEST_TEXT, "too long for structured output");
  if (Array.isArray(value)) return value.slice(0, LONGEST_LIST).map(shorten);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shorten(each)]));
}
