import { readFileSync } from "node:fs";

/** The text for the model that lies beside a module: `read.md` for `read.ts`. */
export function readModelText(moduleUrl: string): string {
  return readFileSync(new URL(moduleUrl.replace(/\.ts$/, ".md")), "utf8").trim();
}
