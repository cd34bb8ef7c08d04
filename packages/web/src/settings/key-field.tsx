import type { Settings } from "@atoll/client";
import { useTexts } from "../i18n/language.tsx";
import { productNames } from "./providers.ts";

interface KeyFieldProps {
  readonly provider: keyof Settings["keys"];
  /** The server reveals only the last characters of a key. */
  readonly known: { readonly last_four: string } | null;
  readonly value: string;
  onChange(key: string): void;
  onForget(): void;
}

/** Sends a key to the server, which never shows it again. */
export function KeyField({ provider, known, value, onChange, onForget }: KeyFieldProps) {
  const texts = useTexts();
  return (
    <div className="key-field">
      <label className="setting spread">
        <span>
          {texts.keyOf(productNames[provider])}: {known ? texts.keySet(known.last_four) : texts.keyNotSet}
        </span>
        <input
          className="field mono"
          type="password"
          autoComplete="off"
          value={value}
          placeholder={known ? texts.newKey : ""}
          aria-label={texts.keyOf(productNames[provider])}
          onChange={(event) => onChange(event.target.value.trim())}
        />
      </label>
      {known ? (
        <button type="button" className="button danger" onClick={onForget}>
          {texts.takeKeyBack}
        </button>
      ) : null}
    </div>
  );
}
