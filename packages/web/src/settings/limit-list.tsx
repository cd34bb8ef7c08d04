import type { SandboxLimits } from "@atoll/client";
import { useTexts } from "../i18n/language.tsx";
import { type Format, useFormat } from "../ui/format.ts";

/** A sandbox's limits, read-only. */
export function Limits({ limits }: { limits: SandboxLimits }) {
  const texts = useTexts();
  const format = useFormat();
  const names: Readonly<Record<string, string>> = texts.limitNames;
  return (
    <dl className="facts">
      {Object.entries(limits).map(([name, value]) => (
        <div key={name}>
          <dt>{names[name] ?? name}</dt>
          <dd>{showLimit(name, value, format)}</dd>
        </div>
      ))}
    </dl>
  );
}

function showLimit(name: string, value: number, format: Format): string {
  if (name.endsWith("_bytes")) return format.binary(value);
  return name.endsWith("_ms") ? format.span(value) : format.number(value);
}
