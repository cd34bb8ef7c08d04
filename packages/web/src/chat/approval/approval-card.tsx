import type { ApprovalDecidedEvent } from "@atoll/client";
import { ShieldCheck, ShieldQuestion, ShieldX, Timer } from "lucide-react";
import { useEffect, useState } from "react";
import { useTexts } from "../../i18n/language.tsx";
import { type Decision, useThreadActions } from "../../thread/actions.tsx";
import type { Approval } from "../../thread/conversation.ts";
import { useFormat } from "../../ui/format.ts";
import { nameTool } from "../tool-names.ts";
import { ApprovalChange } from "./approval-change.tsx";
import { ApprovalEdit } from "./approval-edit.tsx";

/** Shows all of what will run before the user can allow it. */
export function ApprovalCard({ approval: { asked } }: { approval: Approval }) {
  const texts = useTexts();
  const { decide } = useThreadActions();
  const [isDecided, setDecided] = useState(false);
  const [mode, setMode] = useState<"choose" | "edit" | "deny">("choose");
  const question = texts.approvalAsked(nameTool(asked.tool, texts));
  const agents: Readonly<Record<string, string>> = texts.agents;
  const say = async (decision: Decision) => {
    setDecided(true);
    if (!(await decide(asked.approval_id, decision))) setDecided(false);
  };
  return (
    <div className="approval" role="group" aria-label={question}>
      <div className="approval-head">
        <ShieldQuestion size={18} aria-hidden /> <strong>{question}</strong>
        {asked.agent && asked.agent !== "main" ? (
          <span className="quiet small-text">{texts.askedBy(agents[asked.agent] ?? asked.agent)}</span>
        ) : null}
        <span className="spread" />
        {asked.expires_at ? <TimeLeft until={asked.expires_at} /> : null}
      </div>
      {mode === "edit" ? (
        <ApprovalEdit
          asked={asked}
          isBusy={isDecided}
          onAllow={(input) => void say({ decision: "allow", input })}
          onCancel={() => setMode("choose")}
        />
      ) : (
        <ApprovalChange asked={asked} />
      )}
      {mode === "choose" ? (
        <div className="approval-choices">
          <button
            type="button"
            className="button primary"
            disabled={isDecided}
            onClick={() => void say({ decision: "allow" })}
          >
            {texts.allowOnce}
          </button>
          <button type="button" className="button" disabled={isDecided} onClick={() => setMode("edit")}>
            {texts.editAndAllow}
          </button>
          <button
            type="button"
            className="button danger"
            disabled={isDecided}
            onClick={() => setMode("deny")}
          >
            {texts.denyAsk}
          </button>
          <span className="spread" />
          {(["call", "tool"] as const).map((remember) => (
            <button
              key={remember}
              type="button"
              className="button plain small"
              disabled={isDecided}
              onClick={() => void say({ decision: "allow", remember })}
            >
              {remember === "call" ? texts.alwaysCall : texts.alwaysTool}
            </button>
          ))}
        </div>
      ) : null}
      {mode === "deny" ? (
        <DenyForm
          isBusy={isDecided}
          onDeny={(decision) => void say(decision)}
          onCancel={() => setMode("choose")}
        />
      ) : null}
    </div>
  );
}

function DenyForm(props: { isBusy: boolean; onDeny(decision: Decision): void; onCancel(): void }) {
  const texts = useTexts();
  const [reason, setReason] = useState("");
  const words = reason.trim();
  return (
    <form
      className="approval-deny"
      onSubmit={(event) => {
        event.preventDefault();
        props.onDeny({ decision: "deny", ...(words === "" ? {} : { reason: words }) });
      }}
    >
      <label className="setting">
        <span>{texts.denyReason}</span>
        <input
          className="field"
          autoFocus
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
      </label>
      <div className="row">
        <button type="submit" className="button danger" disabled={props.isBusy}>
          {texts.deny}
        </button>
        <button type="button" className="button" onClick={props.onCancel}>
          {texts.cancel}
        </button>
      </div>
    </form>
  );
}

/** Counts down by the minute, and by the second near the end. */
function TimeLeft({ until }: { until: string }) {
  const texts = useTexts();
  const format = useFormat();
  const [now, setNow] = useState(Date.now);
  const leftMs = Date.parse(until) - now;
  const isNear = leftMs < 120_000;
  useEffect(() => {
    if (leftMs <= 0) return undefined;
    const timer = setTimeout(() => setNow(Date.now()), isNear ? 1000 : 15_000);
    return () => clearTimeout(timer);
  }, [leftMs, isNear]);
  const shown = isNear ? Math.ceil(leftMs / 1000) * 1000 : Math.round(leftMs / 60_000) * 60_000;
  return (
    <span className={`row small-text ${isNear ? "" : "quiet"}`}>
      <Timer size={14} aria-hidden /> {leftMs <= 0 ? texts.timeOver : texts.timeLeft(format.span(shown))}
    </span>
  );
}

/** How an approval was decided. */
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
