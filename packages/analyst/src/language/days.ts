/** Calendar arithmetic on ISO days, without time zones. */
export interface Day {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

export function parseDay(iso: unknown): Day | undefined {
  const match = typeof iso === "string" ? /^(\d{4})-(\d{2})-(\d{2})/.exec(iso) : null;
  if (match === null) return undefined;
  return { year: Number(match[1]), month: Number(match[2]), day: Number(match[3]) };
}

export function toIso(year: number, month: number, day: number): string {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.toISOString().slice(0, 10);
}

export function addDays(iso: string, days: number): string {
  const { year, month, day } = parseDay(iso) ?? { year: 1970, month: 1, day: 1 };
  return toIso(year, month, day + days);
}

export function addMonths(iso: string, months: number): string {
  const { year, month, day } = parseDay(iso) ?? { year: 1970, month: 1, day: 1 };
  const lastDay = Number(toIso(year, month + months + 1, 0).slice(8));
  return toIso(year, month + months, Math.min(day, lastDay));
}

export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86_400_000);
}

/** Monday is 0. */
export function weekdayOf(iso: string): number {
  return (new Date(`${iso}T00:00:00Z`).getUTCDay() + 6) % 7;
}
