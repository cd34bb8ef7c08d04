import { createContext, type ReactNode, useContext, useEffect, useState } from "react";
import { en } from "./en.ts";
import type { Language, Texts } from "./texts.ts";
import { zh } from "./zh.ts";

const kept = "atoll.language";
const languages: Readonly<Record<Language, Texts>> = { en, zh };

interface LanguageChoice {
  readonly language: Language;
  readonly texts: Texts;
  choose(language: Language): void;
}

const LanguageContext = createContext<LanguageChoice | undefined>(undefined);

export function LanguageProvider({ children }: { children: ReactNode }) {
  const [language, setLanguage] = useState<Language>(findLanguage);
  useEffect(() => {
    document.documentElement.lang = language === "zh" ? "zh-CN" : "en";
  }, [language]);
  const choose = (chosen: Language) => {
    localStorage.setItem(kept, chosen);
    setLanguage(chosen);
  };
  return (
    <LanguageContext value={{ language, texts: languages[language], choose }}>{children}</LanguageContext>
  );
}

export function useLanguage(): LanguageChoice {
  const choice = useContext(LanguageContext);
  if (!choice) throw new Error("outside of LanguageProvider");
  return choice;
}

export function useTexts(): Texts {
  return useLanguage().texts;
}

/** What was chosen here, else what the browser asks for. */
function findLanguage(): Language {
  const chosen = localStorage.getItem(kept);
  if (chosen === "en" || chosen === "zh") return chosen;
  return navigator.language.toLowerCase().startsWith("zh") ? "zh" : "en";
}
