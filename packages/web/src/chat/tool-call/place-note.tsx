import type { CodeRun } from "@atoll/client";
import { useTexts } from "../../i18n/language.tsx";

const names = { pyodide: "Pyodide", cpython: "CPython" };

/** Which of a thread's two Pythons ran the code, and why. */
export function PlaceNote({ place }: { place: NonNullable<CodeRun["place"]> }) {
  const texts = useTexts();
  const say = place.retried ? texts.ranAgainIn : texts.ranIn;
  return <p className="quiet small-text call-note">{say(names[place.runtime], place)}</p>;
}
