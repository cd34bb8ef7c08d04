import { AtollError } from "../errors.ts";

/** Checks of what a caller passed, each naming the option that is wrong. */
export function checkText(name: string, value: unknown): string {
  if (typeof value !== "string") throw invalid(`${name} must be a string, not ${describe(value)}`);
  return value;
}

export function checkPath(name: string, value: unknown): string {
  const path = checkText(name, value);
  if (path === "" || path.includes("\0"))
    throw invalid(`${name} must not be empty or contain a NUL character`);
  return path;
}

export function checkDuration(name: string, value: unknown): number {
  if (typeof value !== "number" || !(value > 0) || value > 2 ** 31 - 1) {
    throw invalid(
      `${name} must be a number of milliseconds between 1 and ${2 ** 31 - 1}, not ${describe(value)}`,
    );
  }
  return value;
}

export function checkRange(
  name: string,
  value: unknown,
  least: number,
  most = Number.MAX_SAFE_INTEGER,
): number {
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < least || value > most) {
    throw invalid(`${name} must be a whole number from ${least} to ${most}, not ${describe(value)}`);
  }
  return value;
}

export function checkStrings(name: string, value: unknown): Record<string, string> {
  const entries = Object.entries((value ?? {}) as Record<string, unknown>);
  for (const [key, text] of entries) {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(key))
      throw invalid(`${name}: ${JSON.stringify(key)} is not a variable's name`);
    if (typeof text !== "string" || text.includes("\0"))
      throw invalid(`${name}.${key} must be a string without NUL`);
  }
  return Object.fromEntries(entries) as Record<string, string>;
}

export function checkPort(port: unknown): number {
  return checkRange("port", port, 1, 65_535);
}

export function checkPtySize({ cols, rows }: { cols: number; rows: number }): { cols: number; rows: number } {
  return { cols: checkRange("cols", cols, 1, 10_000), rows: checkRange("rows", rows, 1, 10_000) };
}

export function invalid(message: string): AtollError {
  return new AtollError("invalid_argument", message);
}

function describe(value: unknown): string {
  return value === null ? "null" : typeof value === "number" ? String(value) : typeof value;
}
