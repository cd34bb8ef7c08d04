import { useMemo } from "react";
import type { Texts } from "../i18n/en.ts";
import { useTexts } from "../i18n/language.tsx";

/** Formats numbers, times and sizes for the reader's locale. */
export interface Format {
  number(value: number): string;
  duration(ms: number): string;
  /** In whole minutes or seconds. */
  span(ms: number): string;
  bytes(count: number): string;
  /** In units of 1024, as limits are set. */
  binary(count: number): string;
  moment(iso: string): string;
  list(parts: readonly string[]): string;
}

export function useFormat(): Format {
  const texts = useTexts();
  return useMemo(() => createFormat(texts), [texts]);
}

export function createFormat({ locale, timeUnits }: Pick<Texts, "locale" | "timeUnits">): Format {
  const numbers = new Intl.NumberFormat(locale);
  const short = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
  const moments = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" });
  const lists = new Intl.ListFormat(locale);
  return {
    number: (value) => numbers.format(value),
    duration(ms) {
      if (ms < 10) return `${short.format(ms)} ${timeUnits.ms}`;
      if (ms < 1000) return `${Math.round(ms)} ${timeUnits.ms}`;
      if (ms < 60_000) return `${short.format(ms / 1000)} ${timeUnits.s}`;
      const seconds = Math.round(ms / 1000);
      return `${Math.floor(seconds / 60)} ${timeUnits.min} ${seconds % 60} ${timeUnits.s}`;
    },
    list: (parts) => lists.format(parts),
    span: (ms) =>
      ms < 120_000
        ? `${Math.round(ms / 1000)} ${timeUnits.s}`
        : `${Math.round(ms / 60_000)} ${timeUnits.minutes}`,
    bytes: (count) => withUnit(count, 1000, ["B", "kB", "MB", "GB", "TB"], short),
    binary: (count) => withUnit(count, 1024, ["B", "KiB", "MiB", "GiB", "TiB"], short),
    moment: (iso) => moments.format(new Date(iso)),
  };
}

function withUnit(count: number, base: number, units: readonly string[], numbers: Intl.NumberFormat): string {
  let value = count;
  let unit = 0;
  // 1000 kB reads 1 MB.
  for (; Number(value.toFixed(1)) >= base && unit < units.length - 1; unit += 1) value /= base;
  return `${numbers.format(value)} ${units[unit]}`;
}
