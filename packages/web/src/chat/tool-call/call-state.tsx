import { CircleCheck, CircleX, Clock, Loader, ShieldQuestion } from "lucide-react";
import { useTexts } from "../../i18n/language.tsx";
import { useFormat } from "../../ui/format.ts";
import type { Call } from "../../thread/conversation.ts";

/** Whether a call waits, runs or has ended, and how. */
export function CallState(props: { call: Call; isOver: boolean; isAsking: boolean }) {
  const texts = useTexts();
  const format = useFormat();
  const { run, told } = props.call;
  if (props.isAsking) {
    return (
      <span className="call-state warn">
        <ShieldQuestion size={14} aria-hidden /> {texts.waitsForYou}
      </span>
    );
  }
  if (!run && !told) {
    return props.isOver ? null : (
      <span className="call-state">
        <Loader size={14} aria-hidden className="spin" /> {texts.running}
      </span>
    );
  }
  const status = run?.status ?? (told?.isError ? "error" : "ok");
  const durationMs = run?.exec_ms ?? told?.durationMs ?? 0;
  const words = {
    ok: texts.ranOk,
    error: texts.ranError,
    timeout: texts.ranTimeout,
    killed: texts.ranKilled,
  };
  const Icon = status === "ok" ? CircleCheck : status === "timeout" ? Clock : CircleX;
  return (
    <span className={`call-state ${status === "ok" ? "good" : "bad"}`}>
      <Icon size={14} aria-hidden />
      <span className={status === "ok" ? "visually-hidden" : ""}>{words[status]}</span>{" "}
      {format.duration(durationMs)}
    </span>
  );
}
