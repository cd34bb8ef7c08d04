import { createContext, type ReactNode, useContext, useEffect, useState } from "react";
import { en, type Texts } from "./en.ts";
import { zh } from "./zh.ts";

/** Every language of the page, by the first part of its tag. A new one is its file and a line here. */
export const languages = { en, zh } satisfies Readonly<Record<string, Texts>>;
export type Language = keyof typeof languages;

/** The language of the server's own texts, and of browsers that ask for none of ours. */
export const DEFAULT_LANGUAGE = "en";
const STORAGE_KEY = "atoll.language";

interface LanguageChoice {
  readonly language: Language;
  readonly texts: Texts;
  choose(language: Language): void;
}

const LanguageContext = createContext<LanguageChoice | undefined>(undefined);

export function LanguageProvider({ children }: { children: ReactNode }) {
  const [language, setLanguage] = useState<Language>(findLanguage);
  const texts: Texts = languages[language];
  useEffect(() => {
    document.documentElement.lang = texts.locale;
  }, [texts]);
  const choose = (chosen: Language) => {
    localStorage.setItem(STORAGE_KEY, chosen);
    setLanguage(chosen);
  };
  return <LanguageContext value={{ language, texts, choose }}>{children}</LanguageContext>;
}

export function useLanguage(): LanguageChoice {
  const choice = useContext(LanguageContext);
  if (!choice) throw new Error("outside of LanguageProvider");
  return choice;
}

export function useTexts(): Texts {
  return useLanguage().texts;
}

/** Switches to the next language of the list. */
export function LanguageButton() {
  const { texts, language, choose } = useLanguage();
  const codes = Object.keys(languages) as Language[];
  const next = codes[(codes.indexOf(language) + 1) % codes.length] ?? DEFAULT_LANGUAGE;
  const { languageName, languageShortName, locale } = languages[next];
  const name = languageName === languageShortName ? languageName : `${languageShortName} (${languageName})`;
  return (
    <button
      type="button"
      className="button plain small"
      onClick={() => choose(next)}
      aria-label={`${texts.language}: ${name}`}
      lang={locale}
    >
      {languageShortName}
    </button>
  );
}

/** The language that the user chose, else the one that the browser asks for. */
function findLanguage(): Language {
  const chosen = localStorage.getItem(STORAGE_KEY) ?? "";
  const asked = navigator.language.toLowerCase().split("-")[0] ?? "";
  return [chosen, asked].find(isLanguage) ?? DEFAULT_LANGUAGE;
}

function isLanguage(code: string): code is Language {
  return Object.hasOwn(languages, code);
}
