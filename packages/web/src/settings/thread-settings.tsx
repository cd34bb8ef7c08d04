import type { Settings, Thread, ThreadChange } from "@atoll/client";
import { useEffect, useState } from "react";
import { useClient } from "../app/client.tsx";
import { useToasts } from "../app/toasts.tsx";
import { useTexts } from "../i18n/language.tsx";
import { LimitSettings } from "./limit-settings.tsx";
import { ModelChoiceFields } from "./model-choice.tsx";
import { NetworkSettings } from "./network-settings.tsx";
import { type ModelChoice, readModel, writeModel } from "./providers.ts";
import { RuleList } from "./rule-list.tsx";

/** The settings of one thread. */
export function ThreadSettings({ threadId, settings }: { threadId: string; settings: Settings | undefined }) {
  const texts = useTexts();
  const client = useClient();
  const { attempt, show } = useToasts();
  const [thread, setThread] = useState<Thread>();
  useEffect(() => {
    void attempt(client.threads.get(threadId)).then((found) => found && setThread(found));
  }, [attempt, client, threadId]);
  const change = async (changes: ThreadChange) => {
    const changed = await attempt(client.threads.update(threadId, changes));
    if (!changed) return false;
    setThread(changed);
    show(texts.saved, { shownMs: 2000 });
    return true;
  };
  if (!thread) return null;
  /** Shown at once, and reverted if the server refuses it. */
  const setApprovals = async (approvals: Thread["approvals"]) => {
    setThread({ ...thread, approvals });
    if (!(await change({ approvals }))) setThread(thread);
  };
  return (
    <fieldset>
      <legend>{texts.thisThread}</legend>
      <ThreadModel
        model={thread.model}
        standard={settings?.active_model}
        onChange={(model) => void change({ model })}
      />
      <section>
        <h3>{texts.approvals}</h3>
        <label className="row">
          <input
            type="checkbox"
            checked={thread.approvals === "on"}
            onChange={(event) => void setApprovals(event.target.checked ? "on" : "off")}
          />
          {texts.approvalsOn}
        </label>
        <RuleList rules={thread.approval_rules} onChange={(rules) => change({ approval_rules: rules })} />
      </section>
      <NetworkSettings policy={thread.network} onChange={(network) => change({ network })} />
      <LimitSettings thread={thread} onChange={(limits) => change({ limits })} />
    </fieldset>
  );
}

function ThreadModel(props: {
  model: string;
  standard: string | undefined;
  onChange(model: string | null): void;
}) {
  const texts = useTexts();
  const { model, standard, onChange } = props;
  const [choice, setChoice] = useState(() => readModel(model === standard ? null : model));
  const keep = (next: ModelChoice) => {
    const wanted = writeModel(next);
    if (wanted !== (model === standard ? null : model)) onChange(wanted);
  };
  const ofServer = standard === "built-in" ? texts.builtIn : standard;
  return (
    <ModelChoiceFields
      choice={choice}
      providerLabel={texts.modelOfThread}
      nameLabel={texts.nameOfModel}
      ofServer={ofServer === undefined ? texts.modelOfServer : texts.modelOfServerNamed(ofServer)}
      onChange={(next) => {
        setChoice(next);
        if (next.source !== choice.source) keep(next);
      }}
      onDone={() => keep(choice)}
    />
  );
}
