import { Timer } from "lucide-react";
import { useEffect, useState } from "react";
import { useTexts } from "../../i18n/language.tsx";
import { useFormat } from "../../ui/format.ts";

/** By the minute while there are many, then by the second. */
export function TimeLeft({ until }: { until: string }) {
  const texts = useTexts();
  const format = useFormat();
  const [now, setNow] = useState(Date.now);
  const leftMs = Date.parse(until) - now;
  const isNear = leftMs < 120_000;
  useEffect(() => {
    if (leftMs <= 0) return undefined;
    const timer = setTimeout(() => setNow(Date.now()), isNear ? 1000 : 15_000);
    return () => clearTimeout(timer);
  }, [leftMs, isNear]);
  const shown = isNear ? Math.ceil(leftMs / 1000) * 1000 : Math.round(leftMs / 60_000) * 60_000;
  return (
    <span className={`row small-text ${isNear ? "" : "quiet"}`}>
      <Timer size={14} aria-hidden /> {leftMs <= 0 ? texts.timeOver : texts.timeLeft(format.span(shown))}
    </span>
  );
}
