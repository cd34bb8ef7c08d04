/** Limits that can be set for a thread. */
export const CHOSEN_LIMITS = ["memory_bytes", "cpus", "disk_bytes", "timeout_ms"] as const;

export type ChosenLimit = (typeof CHOSEN_LIMITS)[number];

interface Unit {
  readonly name: "gib" | "cores" | "seconds";
  /** How many of the server's units make one of the displayed unit. */
  readonly size: number;
  readonly least: number;
  readonly step: number;
}

export const units: Readonly<Record<ChosenLimit, Unit>> = {
  memory_bytes: { name: "gib", size: 1024 ** 3, least: 0.125, step: 0.125 },
  cpus: { name: "cores", size: 1, least: 0.25, step: 0.25 },
  disk_bytes: { name: "gib", size: 1024 ** 3, least: 0.25, step: 0.25 },
  timeout_ms: { name: "seconds", size: 1000, least: 1, step: 1 },
};

/** In the displayed unit, with as few digits as possible. */
export function toUnit(name: ChosenLimit, value: number): string {
  return String(Number((value / units[name].size).toFixed(3)));
}

/** Undefined if the text is not a number within the range. */
export function fromUnit(name: ChosenLimit, text: string, most: number): number | undefined {
  const { size, least } = units[name];
  const value = Number(text);
  if (text.trim() === "" || !Number.isFinite(value) || value < least) return undefined;
  // The maximum may lie between two steps: its displayed form means the exact value.
  if (text.trim() === toUnit(name, most)) return most;
  const exact = name === "cpus" ? value : Math.round(value * size);
  return exact <= most ? exact : undefined;
}
