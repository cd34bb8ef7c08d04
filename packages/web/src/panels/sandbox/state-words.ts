import type { ThreadStatus } from "@atoll/client";
import { useTexts } from "../../i18n/language.tsx";
import { useFormat } from "../../ui/format.ts";

/** Explains a sandbox's state and how long its next use waits. */
export function useStateWords(status: ThreadStatus | undefined): string {
  const texts = useTexts();
  const format = useFormat();
  if (!status) return "";
  const { sandbox_status: state, wake } = status;
  const hints = { hot: texts.hotHint, warm: texts.warmHint, cold: texts.coldHint };
  const estimate = wake && state !== "hot" ? texts.wakeEstimate(format.duration(wake.estimated_ms)) : "";
  return `${hints[state]} ${estimate}`.trim();
}
