import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { runInPage } from "../../support/ui/run-in-page.ts";

/** By scene and part: "left top width height", in percent of the window. */
type Places = Record<string, Record<string, string>>;

const path = join(import.meta.dirname, "record.json");

/** The large parts of the page. */
const parts = {
  list: ".sidebar",
  bar: ".topbar",
  welcome: ".welcome",
  conversation: ".transcript",
  composer: ".composer",
  sidePanel: ".side-panel",
  dialog: "dialog[open]",
};

/** A dialog's height depends on its text. */
const isTallAsItsWords = new Set(["dialog"]);
/** Tolerance for fonts with slightly taller lines. */
const FONT_PERCENT = 3;

export async function readPlaces(page: Page): Promise<Record<string, string>> {
  return runInPage(page, "landmarks", "readLandmarks", parts);
}

/** One sentence for each part that has moved since the record. With ATOLL_RECORD_LAYOUT the record is updated instead. */
export function compareWithRecord(width: number, seen: Places): string[] {
  const record = JSON.parse(readFileSync(path, "utf8")) as Record<string, Places>;
  if (process.env["ATOLL_RECORD_LAYOUT"]) {
    writeFileSync(path, `${JSON.stringify({ ...record, [width]: seen }, undefined, 2)}\n`);
    return [];
  }
  const known = record[width] ?? {};
  const scenes = new Set([...Object.keys(known), ...Object.keys(seen)]);
  return [...scenes].flatMap((scene) =>
    comparePlaces(known[scene] ?? {}, seen[scene] ?? {}).map((fault) => `${scene}: ${fault}`),
  );
}

export function comparePlaces(known: Places[string], seen: Places[string]): string[] {
  const names = new Set([...Object.keys(known), ...Object.keys(seen)]);
  return [...names].flatMap((name) => {
    const [was, is] = [known[name], seen[name]];
    if (was === undefined) return [`the ${name} is new`];
    if (is === undefined) return [`the ${name} is gone`];
    const sides = isTallAsItsWords.has(name) ? [0, 2] : [0, 1, 2, 3];
    const side = (place: string, at: number) => Number(place.split(" ")[at]);
    const isMoved = sides.some((at) => Math.abs(side(was, at) - side(is, at)) > FONT_PERCENT);
    return isMoved ? [`the ${name} was at ${was}, and is at ${is}`] : [];
  });
}
