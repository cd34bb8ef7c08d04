import type { Plan } from "../plan.ts";
import { literal } from "./python.ts";

/** Characters that the usual fonts of a chart have no glyph for. */
const UNUSUAL = /[\u1100-\u11ff\u2e80-\ua4cf\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]/;

/** Whether names or values in the chart need a font for Chinese, Japanese or Korean. */
export function needsFont(plan: Plan): boolean {
  const names = [
    ...plan.groups.flatMap((group) => [group.column.name, ...(group.column.values ?? [])]),
    ...plan.measures.flatMap((measure) => measure.column?.name ?? []),
    ...(plan.columns ?? []).flatMap((column) => column.name),
    ...plan.filters.flatMap((filter) => (filter.kind === "equals" ? filter.values.map(String) : [])),
  ];
  return names.some((name) => UNUSUAL.test(name));
}

export const FONT_LINES: readonly string[] = [
  "from matplotlib import font_manager",
  "",
  'wanted = ["Noto Sans CJK SC", "Source Han Sans SC", "WenQuanYi Zen Hei", "Microsoft YaHei", "PingFang SC"]',
  "font = next((name for name in wanted if name in font_manager.get_font_names()), None)",
  "if font:",
  '    plt.rcParams["font.family"] = font',
];

/** Where no font has the characters, a chart says plainly what it shows. */
export function chartText(text: string, plain: string, plan: Plan): string {
  const clean = withoutPictures(text);
  return needsFont(plan) && UNUSUAL.test(clean)
    ? `${literal(clean)} if font else ${literal(plain)}`
    : literal(clean);
}

function withoutPictures(text: string): string {
  const plain = text
    .replaceAll(/[\p{Extended_Pictographic}\u{fe0f}\u{200d}]/gu, "")
    .replaceAll(/\s+/g, " ")
    .trim();
  return plain.length > 90 ? `${plain.slice(0, 88)}…` : plain;
}

/** A dollar sign begins a formula in matplotlib, unless it is told otherwise. */
export function mayHaveDollars(plan: Plan): boolean {
  return JSON.stringify([plan.groups, plan.measures, plan.columns, plan.filters]).includes("$");
}
