import type { Settings as ServerSettings } from "@atoll/client";
import { useEffect, useState } from "react";
import { useClient } from "../app/client.tsx";
import { useToasts } from "../app/toasts.tsx";
import { type Language, languages, useLanguage } from "../i18n/language.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { chooseTheme, type Theme, useTheme } from "../ui/theme.ts";
import { ModelSettings } from "./model-settings.tsx";
import { ThreadSettings } from "./thread-settings.tsx";
import "./settings.css";

const THEMES: readonly Theme[] = ["light", "dark", "system"];

export default function Settings({ threadId, onClose }: { threadId: string | undefined; onClose(): void }) {
  const { texts, language, choose } = useLanguage();
  const client = useClient();
  const { attempt } = useToasts();
  const theme = useTheme();
  const [settings, setSettings] = useState<ServerSettings>();
  useEffect(() => {
    void attempt(client.settings()).then((found) => found && setSettings(found));
  }, [attempt, client]);
  return (
    <Dialog className="settings" title={texts.settings} onClose={onClose}>
      {settings ? <ModelSettings settings={settings} onChanged={setSettings} /> : null}
      {threadId ? <ThreadSettings threadId={threadId} settings={settings} /> : null}
      <fieldset>
        <legend>{texts.language}</legend>
        {Object.entries(languages).map(([code, { languageName }]) => (
          <label key={code} className="row">
            <input
              type="radio"
              name="language"
              checked={language === code}
              onChange={() => choose(code as Language)}
            />
            {languageName}
          </label>
        ))}
      </fieldset>
      <fieldset>
        <legend>{texts.theme}</legend>
        {THEMES.map((each) => (
          <label key={each} className="row">
            <input type="radio" name="theme" checked={theme === each} onChange={() => chooseTheme(each)} />
            {texts[each]}
          </label>
        ))}
      </fieldset>
    </Dialog>
  );
}
