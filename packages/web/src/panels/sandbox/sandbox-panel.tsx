import { Moon, Sun } from "lucide-react";
import { useState } from "react";
import { useClient } from "../../app/client.tsx";
import { useToasts } from "../../app/toasts.tsx";
import { SandboxNotice } from "../../chat/notice.tsx";
import { useTexts } from "../../i18n/language.tsx";
import { useFormat } from "../../ui/format.ts";
import { Limits } from "../../settings/limit-list.tsx";
import type { PanelProps } from "../side-panel.tsx";
import { KernelControls } from "./kernel-controls.tsx";
import { Meters } from "./meters.tsx";
import { useStateWords } from "./state-words.ts";
import { takeStatus, useStatus } from "./status-watch.ts";
import { Traffic } from "./traffic.tsx";

/** The sandbox's state, its resource use, the expected wake time and what the last wake restored. */
export default function SandboxPanel({ threadId, conversation }: PanelProps) {
  const texts = useTexts();
  const format = useFormat();
  const client = useClient();
  const { attempt } = useToasts();
  const [isTurning, setTurning] = useState(false);
  const status = useStatus(threadId, { isClose: true });
  const words = useStateWords(status);
  if (!status) return null;
  const { sandbox_status: state, metrics, limits, sandbox_since: since } = status;
  const turn = async () => {
    setTurning(true);
    const { threads } = client;
    const told = await attempt(state === "hot" ? threads.suspend(threadId) : threads.wake(threadId));
    if (told) takeStatus(told);
    setTurning(false);
  };
  return (
    <div className="panel">
      <div className="row">
        <span className={`badge ${state}`}>
          <span className="dot" aria-hidden /> {texts[state]}
        </span>
        <span className="quiet small-text ellipsis spread">
          {since === undefined ? "" : texts.since(format.moment(since))}
        </span>
        <button
          type="button"
          className="button small"
          disabled={isTurning}
          title={state === "hot" ? texts.restHint : undefined}
          onClick={() => void turn()}
        >
          {state === "hot" ? <Moon size={14} aria-hidden /> : <Sun size={14} aria-hidden />}
          {state === "hot" ? texts.putToRest : texts.wakeUp}
        </button>
      </div>
      <p className="quiet small-text">{words}</p>
      {conversation.sandbox ? <SandboxNotice event={conversation.sandbox} /> : null}
      {metrics && state !== "cold" ? <Meters threadId={threadId} metrics={metrics} limits={limits} /> : null}
      <h2>Python</h2>
      <KernelControls threadId={threadId} conversation={conversation} />
      <h2>{texts.limits}</h2>
      <Limits limits={limits} />
      <Traffic threadId={threadId} status={status} />
    </div>
  );
}
