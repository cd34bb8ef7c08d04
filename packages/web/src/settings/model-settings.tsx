import type { Settings, SettingsTestResult } from "@atoll/client";
import { type FormEvent, useRef, useState } from "react";
import { useClient } from "../app/client.tsx";
import { useToasts } from "../app/toasts.tsx";
import { useTexts } from "../i18n/language.tsx";
import { KeyField } from "./key-field.tsx";
import { ModelChoiceFields } from "./model-choice.tsx";
import { ModelTest } from "./model-test.tsx";
import { hasKey, keyOf, readModel, writeModel } from "./providers.ts";

/** Chooses the model and its key. Saving also tests it. */
export function ModelSettings(props: { settings: Settings; onChanged(changed: Settings): void }) {
  const { settings, onChanged } = props;
  const texts = useTexts();
  const client = useClient();
  const { attempt } = useToasts();
  const [choice, setChoice] = useState(() => readModel(settings.model));
  const [baseUrl, setBaseUrl] = useState(settings.base_url ?? "");
  const [key, setKey] = useState("");
  const [result, setResult] = useState<SettingsTestResult | "waiting">();
  const test = useRef(new AbortController());
  const { source } = choice;
  const provider = hasKey(source) ? keyOf[source] : undefined;
  const save = async (change: Parameters<typeof client.updateSettings>[0]) => {
    const changed = await attempt(client.updateSettings(change));
    if (changed) onChanged(changed);
    return changed !== undefined;
  };
  const saveAndTest = async (event: FormEvent) => {
    event.preventDefault();
    setResult("waiting");
    const isSaved = await save({
      model: writeModel(choice),
      ...(source === "openai-compatible" ? { base_url: baseUrl.trim() || null } : {}),
      ...(provider && key !== "" ? { keys: { [provider]: key } } : {}),
    });
    if (!isSaved) return setResult(undefined);
    setKey("");
    test.current = new AbortController();
    const { signal } = test.current;
    const tested = client.testSettings(undefined, { signal });
    const given = tested.catch((error: unknown) => {
      if (signal.aborted) return undefined;
      throw error;
    });
    setResult(await attempt(given));
  };
  const isBuiltIn = settings.active_model === "built-in";
  return (
    <fieldset>
      <legend>{texts.model}</legend>
      <p>{texts.activeModel(isBuiltIn ? texts.builtIn : settings.active_model)}</p>
      {isBuiltIn ? <p className="quiet small-text">{texts.builtInHint}</p> : null}
      <form onSubmit={(event) => void saveAndTest(event)}>
        <ModelChoiceFields
          choice={choice}
          providerLabel={texts.provider}
          nameLabel={texts.model}
          ofServer={texts.asStarted}
          onChange={(next) => {
            setChoice(next);
            setResult(undefined);
          }}
        />
        {source === "openai-compatible" ? (
          <label className="setting">
            <span>{texts.baseUrl}</span>
            <input
              className="field mono"
              value={baseUrl}
              onChange={(event) => setBaseUrl(event.target.value)}
              placeholder="http://localhost:11434/v1"
              inputMode="url"
              autoComplete="off"
            />
          </label>
        ) : null}
        {provider ? (
          <KeyField
            provider={provider}
            known={settings.keys[provider]}
            value={key}
            onChange={setKey}
            onForget={() => void save({ keys: { [provider]: null } })}
          />
        ) : null}
        <div className="row">
          <button type="submit" className="button primary" disabled={result === "waiting"}>
            {texts.saveAndTest}
          </button>
          <ModelTest result={result} onGiveUp={() => test.current.abort()} />
        </div>
      </form>
    </fieldset>
  );
}
