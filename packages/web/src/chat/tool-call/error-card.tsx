import type { RunError } from "@atoll/client";
import { useTexts } from "../../i18n/language.tsx";
import { withoutColours } from "./terminal-text.ts";

export function ErrorCard({ error: { name, value, traceback } }: { error: RunError }) {
  const texts = useTexts();
  return (
    <div className="error-card" role="group" aria-label={texts.ranError}>
      <p>
        <strong>{name}</strong>: {value}
      </p>
      <details>
        <summary>{texts.traceback}</summary>
        <pre tabIndex={0}>{withoutColours(traceback)}</pre>
      </details>
    </div>
  );
}
