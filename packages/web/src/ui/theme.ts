import { useSyncExternalStore } from "react";

export type Theme = "light" | "dark" | "system";

const STORAGE_KEY = "atoll.theme";
const listeners = new Set<() => void>();

/** Applied before the first paint, so that a dark page does not flash. */
export function applyTheme(): void {
  const theme = readTheme();
  if (theme === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
}

export function chooseTheme(theme: Theme): void {
  localStorage.setItem(STORAGE_KEY, theme);
  applyTheme();
  for (const listener of listeners) listener();
}

export function useTheme(): Theme {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, readTheme);
}

function readTheme(): Theme {
  const theme = localStorage.getItem(STORAGE_KEY);
  return theme === "light" || theme === "dark" ? theme : "system";
}

/** The theme in effect, with `system` resolved. */
export function useIsDark(): boolean {
  const theme = useTheme();
  const isSystemDark = useSyncExternalStore(
    (listener) => {
      systemDark.addEventListener("change", listener);
      return () => systemDark.removeEventListener("change", listener);
    },
    () => systemDark.matches,
  );
  return theme === "system" ? isSystemDark : theme === "dark";
}

const systemDark = matchMedia("(prefers-color-scheme: dark)");
