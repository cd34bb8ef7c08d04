import { closeSync, existsSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { replaceFile } from "../data-folder/replace-file.ts";

/**
 * Outside of the database: how many durable changes it has acknowledged. Each is marked after its commit has reached the
 * disk, by one write in place that need not reach it: so a marker that is ahead of the database proves a loss.
 */
export class Marker {
  readonly #file: number;
  #isOpen = true;

  constructor(folder: string) {
    const path = join(folder, markerName);
    if (!existsSync(path)) replaceFile(path, formatMark(0));
    this.#file = openSync(path, "r+", 0o600);
  }

  write(count: number): void {
    writeSync(this.#file, formatMark(count), 0);
  }

  close(): void {
    if (this.#isOpen) closeSync(this.#file);
    this.#isOpen = false;
  }
}

/** 0 where there is none, or none that can be read. */
export function readMarker(folder: string): number {
  const path = join(folder, markerName);
  const text = existsSync(path) ? readFileSync(path, "latin1") : "";
  return /^\d{16}\n/.test(text) ? Number.parseInt(text, 10) : 0;
}

/** Kept until an operator has seen it: `atoll doctor --repair` puts it away. */
export const lossName = "acknowledged-lost.txt";
export const markerName = "acknowledged";

export function formatMark(count: number): string {
  return `${String(count).padStart(16, "0")}\n`;
}
