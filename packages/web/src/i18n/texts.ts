import type { en } from "./en.ts";

export type Texts = typeof en;
export type Language = "en" | "zh";
