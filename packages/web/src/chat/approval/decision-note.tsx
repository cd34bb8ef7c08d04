import type { ApprovalDecidedEvent } from "@atoll/client";
import { ShieldCheck, ShieldX } from "lucide-react";
import { useTexts } from "../../i18n/language.tsx";

/** How a call that was asked about was decided. */
export function DecisionNote({ decided }: { decided: ApprovalDecidedEvent }) {
  const texts = useTexts();
  const { decision, by, reason, remember, input } = decided;
  const isAllowed = decision === "allow";
  const Icon = isAllowed ? ShieldCheck : ShieldX;
  const facts = [
    by ? texts.decidedBy[by] : "",
    remember ? texts.remembered[remember] : "",
    input === undefined ? "" : texts.changedArguments.toLowerCase(),
    reason ?? "",
  ].filter((fact) => fact !== "");
  return (
    <p className={`decision small-text ${isAllowed ? "quiet" : "bad"}`}>
      <Icon size={14} aria-hidden />
      <span>{[isAllowed ? texts.allowed : texts.denied, ...facts].join(" · ")}</span>
    </p>
  );
}
