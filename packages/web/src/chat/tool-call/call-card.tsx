import { makeNotice, type Notice, resolveToolName, sayNotice } from "@atoll/protocol";
import type { CodeRun } from "@atoll/client";
import { ChevronRight, CircleCheck, CircleX, Clock, Loader, ShieldQuestion } from "lucide-react";
import { memo, useState } from "react";
import { useTexts } from "../../i18n/language.tsx";
import { ArtifactList } from "../../results/artifact-list.tsx";
import { ResultView } from "../../results/result.tsx";
import { useThreadActions } from "../../thread/actions.tsx";
import type { Call } from "../../thread/conversation.ts";
import { Code } from "../../ui/code/code.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { useFormat } from "../../ui/format.ts";
import { ApprovalCard, DecisionNote } from "../approval/approval-card.tsx";
import { Refusals } from "../refusals.tsx";
import { nameTool } from "../tool-names.ts";
import { describeCall, readArguments } from "./call-text.ts";
import { RunAgain } from "./run-again.tsx";
import { TodoList } from "./todo-list.tsx";
import { ToolIcon } from "./tool-icon.tsx";
import { ErrorCard, Output, ToolReply } from "./tool-output.tsx";

interface CallCardProps {
  readonly call: Call;
  /** The run has ended. */
  readonly isOver: boolean;
  readonly isInner?: boolean;
}

/** One tool call: its code, its output and results, and how it ended. */
export const CallCard = memo(function CallCard({ call, isOver, isInner = false }: CallCardProps) {
  const texts = useTexts();
  const { run, approval, reply } = call;
  const { code, language, about } = describeCall(call);
  const name = nameTool(call.tool, texts);
  const isFailed = run ? run.status !== "ok" : (reply?.isError ?? false);
  const [choice, setChoice] = useState<boolean>();
  const isOpen = choice ?? isFailed;
  const { isReadOnly } = useThreadActions();
  const isAsking = approval !== undefined && approval.decided === undefined && !isOver && !isReadOnly;
  const todos = readArguments(call.input)["todos"];
  return (
    <div
      className={`call ${isFailed ? "is-failed" : ""}`}
      role="group"
      aria-label={`${name} ${about}`.trim()}
    >
      <header className="call-head">
        <button
          type="button"
          className="call-toggle"
          aria-expanded={isOpen}
          onClick={() => setChoice(!isOpen)}
          title={isOpen ? texts.hideCode : texts.showCode}
        >
          <ChevronRight size={16} aria-hidden className={isOpen ? "turned" : ""} />
          <ToolIcon tool={call.tool} />
          <span className="call-name">{name}</span>
          <span className="call-about ellipsis">{about}</span>
        </button>
        <CallState call={call} isOver={isOver} isAsking={isAsking} />
        <CopyButton text={code} isSmall />
      </header>
      {isOpen && !isAsking ? <Code code={code} language={language} /> : null}
      {isAsking ? <ApprovalCard approval={approval} /> : null}
      {approval?.decided ? <DecisionNote decided={approval.decided} /> : null}
      {Array.isArray(todos) ? <TodoList todos={todos} /> : null}
      <InnerCalls call={call} isOver={isOver || reply !== undefined} />
      <Output pieces={call.output} isTruncated={run?.truncated ?? false} />
      {call.results.map((result, index) => (
        <ResultView key={index} result={result} />
      ))}
      {run?.error ? <ErrorCard error={run.error} /> : null}
      {run?.place && (isOpen || run.place.retried) ? <PlaceNote place={run.place} /> : null}
      {run &&
        listNotices(run).map((notice) => (
          <p key={notice.text} className="quiet small-text call-note">
            {sayNotice(notice, texts.notices)}
          </p>
        ))}
      <Refusals refusals={call.refusals} />
      {!run && reply && (reply.isError || isOpen) ? <ToolReply call={call} /> : null}
      <ArtifactList artifacts={call.artifacts} />
      {run && canRunAgain(call) && !isInner && !isReadOnly ? (
        <RunAgain code={run.code} language={run.language} />
      ) : null}
    </div>
  );
});

/** A log of an earlier version has the English texts only. */
function listNotices({ notices = [], coded_notices }: NonNullable<Call["run"]>): readonly Notice[] {
  return coded_notices ?? notices.map((text) => makeNotice("other", { text }));
}

/** A program that calls tools cannot run in the kernel alone. */
function canRunAgain({ tool }: Call): boolean {
  return ["execute_python", "execute_shell"].includes(resolveToolName(tool));
}

/** Up to this many calls are shown unfolded. */
const FEW = 3;

/** The calls of a program or a sub-agent: shown while it runs, folded afterwards if there are many. */
function InnerCalls({ call: { calls }, isOver }: { call: Call; isOver: boolean }) {
  const texts = useTexts();
  const [choice, setChoice] = useState<boolean>();
  if (calls.length === 0) return null;
  const isAsking = calls.some(({ approval }) => approval && !approval.decided);
  const isOpen = choice ?? (!isOver || isAsking || calls.length <= FEW);
  return (
    <div className="inner">
      <button
        type="button"
        className="button plain small"
        aria-expanded={isOpen}
        onClick={() => setChoice(!isOpen)}
      >
        <ChevronRight size={14} aria-hidden className={isOpen ? "turned" : ""} /> {texts.steps(calls.length)}
      </button>
      {isOpen ? (
        <div className="inner-calls">
          {calls.map((inner) => (
            <CallCard key={inner.id} call={inner} isOver={isOver} isInner />
          ))}
        </div>
      ) : null}
    </div>
  );
}

/** Shows whether a call waits, runs or has ended, and how. */
function CallState(props: { call: Call; isOver: boolean; isAsking: boolean }) {
  const texts = useTexts();
  const format = useFormat();
  const { run, reply } = props.call;
  if (props.isAsking) {
    return (
      <span className="call-state warn">
        <ShieldQuestion size={14} aria-hidden /> {texts.waitsForYou}
      </span>
    );
  }
  if (!run && !reply) {
    return props.isOver ? null : (
      <span className="call-state">
        <Loader size={14} aria-hidden className="spin" /> {texts.running}
      </span>
    );
  }
  const status = run?.status ?? (reply?.isError ? "error" : "ok");
  const durationMs = run?.exec_ms ?? reply?.durationMs ?? 0;
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

const names = { pyodide: "Pyodide", cpython: "CPython" };

/** Says which of the thread's two Python runtimes ran the code, and why. */
function PlaceNote({ place }: { place: NonNullable<CodeRun["place"]> }) {
  const texts = useTexts();
  const say = place.retried ? texts.ranAgainIn : texts.ranIn;
  return <p className="quiet small-text call-note">{say(names[place.runtime], place)}</p>;
}
