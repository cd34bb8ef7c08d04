import type { SettingsTestResult } from "@atoll/client";
import { CircleCheck, CircleX, Loader } from "lucide-react";
import { useTexts } from "../i18n/language.tsx";
import { useFormat } from "../ui/format.ts";

/** The result of a test request to the model. */
export function ModelTest(props: { result: SettingsTestResult | "waiting" | undefined; onGiveUp(): void }) {
  const texts = useTexts();
  const format = useFormat();
  const { result, onGiveUp } = props;
  if (result === undefined) return null;
  if (result === "waiting") {
    return (
      <>
        <span className="row small-text quiet" role="status">
          <Loader size={15} aria-hidden className="spin" /> {texts.testing}
        </span>
        <button type="button" className="button plain small" onClick={onGiveUp}>
          {texts.cancel}
        </button>
      </>
    );
  }
  const { is_ok: isOk, model, duration_ms: durationMs, message, hint } = result;
  const Icon = isOk ? CircleCheck : CircleX;
  return (
    <span className={`row small-text ${isOk ? "good" : "bad"}`} role="status">
      <Icon size={16} aria-hidden />
      <span>
        {isOk
          ? texts.testOk(model === "built-in" ? texts.builtIn : model, format.duration(durationMs))
          : [message, hint].filter(Boolean).join(" ")}
      </span>
    </span>
  );
}
