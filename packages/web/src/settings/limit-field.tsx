import { useId, useState } from "react";
import { useTexts } from "../i18n/language.tsx";
import { type ChosenLimit, fromUnit, toUnit, units } from "./limit-units.ts";

interface LimitFieldProps {
  readonly name: ChosenLimit;
  readonly value: number;
  readonly most: number;
  onChange(value: number): Promise<boolean>;
}

/** Saves on blur and on Enter. */
export function LimitField({ name, value, most, onChange }: LimitFieldProps) {
  const texts = useTexts();
  const note = useId();
  const [text, setText] = useState(() => toUnit(name, value));
  const unit = texts.units[units[name].name];
  const wanted = fromUnit(name, text, most);
  const keep = async () => {
    if (wanted === undefined || wanted === value) return;
    if (!(await onChange(wanted))) setText(toUnit(name, value));
  };
  return (
    <label className="setting">
      <span>{texts.limitNames[name]}</span>
      <span className="limit-input">
        <input
          className="field"
          type="number"
          inputMode="decimal"
          value={text}
          min={units[name].least}
          step={units[name].step}
          aria-invalid={wanted === undefined}
          aria-describedby={note}
          onChange={(event) => setText(event.target.value)}
          onBlur={() => void keep()}
          onKeyDown={(event) => event.key === "Enter" && void keep()}
        />
        <span className="quiet">{unit}</span>
      </span>
      <span id={note} className={`small-text ${wanted === undefined ? "bad" : "quiet"}`}>
        {texts.limitRange(String(units[name].least), `${toUnit(name, most)} ${unit}`)}
      </span>
    </label>
  );
}
