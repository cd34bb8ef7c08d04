import { ChevronRight } from "lucide-react";
import { memo, useState } from "react";
import { useTexts } from "../../i18n/language.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { ArtifactList } from "../../results/artifact-list.tsx";
import { ResultView } from "../../results/result.tsx";
import { useThreadActions } from "../../thread/actions.tsx";
import type { Call } from "../../thread/conversation.ts";
import { ApprovalCard } from "../approval/approval-card.tsx";
import { describeCall, readArguments } from "./call-text.ts";
import { CallState } from "./call-state.tsx";
import { Code } from "../../ui/code/code.tsx";
import { DecisionNote } from "../approval/decision-note.tsx";
import { ErrorCard } from "./error-card.tsx";
import { InnerCalls } from "./inner-calls.tsx";
import { Output } from "./output.tsx";
import { PlaceNote } from "./place-note.tsx";
import { Refusals } from "../refusals.tsx";
import { RunAgain } from "./run-again.tsx";
import { Told } from "./tool-output.tsx";
import { TodoList } from "./todo-list.tsx";
import { ToolIcon } from "./tool-icon.tsx";
import { nameTool, resolveTool } from "../tool-names.ts";

interface CallCardProps {
  readonly call: Call;
  /** Nothing more is going to happen to it. */
  readonly isOver: boolean;
  readonly isInner?: boolean;
}

/** One call of a tool: what was run, what it printed and showed, how it ended. */
export const CallCard = memo(function CallCard({ call, isOver, isInner = false }: CallCardProps) {
  const texts = useTexts();
  const { run, approval, told } = call;
  const { code, language, about } = describeCall(call);
  const name = nameTool(call.tool, texts);
  const isFailed = run ? run.status !== "ok" : (told?.isError ?? false);
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
      <InnerCalls call={call} isOver={isOver || told !== undefined} />
      <Output pieces={call.output} isTruncated={run?.truncated ?? false} />
      {call.results.map((result, index) => (
        <ResultView key={index} result={result} />
      ))}
      {run?.error ? <ErrorCard error={run.error} /> : null}
      {run?.place && (isOpen || run.place.retried) ? <PlaceNote place={run.place} /> : null}
      {run?.notices?.map((notice) => (
        <p key={notice} className="quiet small-text call-note">
          {texts.runNotice(notice)}
        </p>
      ))}
      <Refusals refusals={call.refusals} />
      {!run && told && (told.isError || isOpen) ? <Told call={call} told={told} /> : null}
      <ArtifactList artifacts={call.artifacts} />
      {run && canRunAgain(call) && !isInner && !isReadOnly ? (
        <RunAgain code={run.code} language={run.language} />
      ) : null}
    </div>
  );
});

/** A program that calls tools needs more than a kernel. */
function canRunAgain({ tool }: Call): boolean {
  return ["execute_python", "execute_shell"].includes(resolveTool(tool));
}
