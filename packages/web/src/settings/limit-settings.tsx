import type { SandboxLimits, Thread, ThreadStatus } from "@atoll/client";
import { useCallback, useEffect, useState } from "react";
import { useClient } from "../app/client.tsx";
import { useToasts } from "../app/toasts.tsx";
import { useTexts } from "../i18n/language.tsx";
import { LimitField } from "./limit-field.tsx";
import { Limits } from "./limit-list.tsx";
import { type ChosenLimit, CHOSEN_LIMITS } from "./limit-units.ts";

interface LimitSettingsProps {
  readonly thread: Thread;
  onChange(limits: Partial<Record<ChosenLimit, number>>): Promise<boolean>;
}

/** The sandbox's limits. Some can be set per thread, up to the server's maximum. */
export function LimitSettings({ thread, onChange }: LimitSettingsProps) {
  const texts = useTexts();
  const client = useClient();
  const { attempt } = useToasts();
  const { thread_id: threadId, limits, max_limits: most } = thread;
  const [status, setStatus] = useState<ThreadStatus>();
  const [isBusy, setBusy] = useState(false);
  const look = useCallback(async () => {
    setStatus(await client.threads.status(threadId).catch(() => undefined));
  }, [client, threadId]);
  useEffect(() => void look(), [look, limits]);
  const isOld = status !== undefined && CHOSEN_LIMITS.some((name) => status.limits[name] !== limits[name]);
  const restartSandbox = async () => {
    setBusy(true);
    const isResting = await attempt(client.threads.suspend(threadId));
    if (isResting) await attempt(client.threads.wake(threadId));
    await look();
    setBusy(false);
  };
  return (
    <section>
      <h3>{texts.limits}</h3>
      <p className="quiet small-text">{texts.limitsHint}</p>
      <div className="limit-fields">
        {CHOSEN_LIMITS.map((name) => (
          <LimitField
            key={`${name} ${limits[name]}`}
            name={name}
            value={limits[name]}
            most={most[name]}
            onChange={(value) => onChange({ ...limits, [name]: value })}
          />
        ))}
      </div>
      {isOld && status.sandbox_status !== "cold" ? (
        <div className="row notice-row" role="status">
          <p className="small-text spread">{texts.limitsLater}</p>
          <button
            type="button"
            className="button small"
            disabled={isBusy}
            onClick={() => void restartSandbox()}
          >
            {texts.restartSandbox}
          </button>
        </div>
      ) : null}
      {status ? <Limits limits={withoutChosen(status.limits)} /> : null}
    </section>
  );
}

/** The limits that cannot be set here. */
function withoutChosen(limits: SandboxLimits): SandboxLimits {
  const others = Object.entries(limits).filter(([name]) => !CHOSEN_LIMITS.some((each) => each === name));
  return Object.fromEntries(others);
}
