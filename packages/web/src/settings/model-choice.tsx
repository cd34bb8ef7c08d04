import { useTexts } from "../i18n/language.tsx";
import type { Texts } from "../i18n/en.ts";
import { hasKey, type ModelChoice, productNames, type Source, SOURCES } from "./providers.ts";

interface ModelChoiceProps {
  readonly choice: ModelChoice;
  readonly providerLabel: string;
  readonly nameLabel: string;
  /** The label of the choice `server`. */
  readonly ofServer: string;
  onChange(choice: ModelChoice): void;
  /** Called when the name is complete. */
  onDone?(): void;
}

/** Chooses a provider, and a model if it has several. */
export function ModelChoiceFields(props: ModelChoiceProps) {
  const texts = useTexts();
  const { choice, onChange, onDone } = props;
  return (
    <div className="setting-pair">
      <label className="setting">
        <span>{props.providerLabel}</span>
        <select
          className="field"
          value={choice.source}
          onChange={(event) => {
            const source = SOURCES.find((each) => each === event.target.value) ?? "server";
            onChange({ source, name: "" });
          }}
        >
          {SOURCES.map((source) => (
            <option key={source} value={source}>
              {source === "server" ? props.ofServer : nameSource(source, texts)}
            </option>
          ))}
        </select>
      </label>
      {hasKey(choice.source) ? (
        <label className="setting">
          <span>{props.nameLabel}</span>
          <input
            className="field mono"
            value={choice.name}
            placeholder={texts.usualModel}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => onChange({ ...choice, name: event.target.value })}
            onBlur={onDone}
            onKeyDown={(event) => event.key === "Enter" && onDone?.()}
          />
        </label>
      ) : null}
    </div>
  );
}

function nameSource(source: Exclude<Source, "server">, texts: Texts): string {
  if (source === "built-in") return texts.builtIn;
  return source === "openai-compatible" ? texts.compatibleServer : productNames[source];
}
