import type { ThreadSummary } from "@atoll/client";
import { useEffect, useMemo, useState } from "react";
import { useClient } from "../app/client.tsx";
import { useToasts } from "../app/toasts.tsx";
import { useTexts } from "../i18n/language.tsx";
import { loadConversation } from "../thread/load-conversation.ts";
import { Dialog } from "../ui/dialog.tsx";
import { ComparedView } from "./compared-view.tsx";
import { type Turn, compareTurns, readTurns } from "./comparison.ts";
import "./compare.css";

/** Shows two threads side by side, with their differences. */
export default function CompareDialog({ threadId, onClose }: { threadId: string; onClose(): void }) {
  const texts = useTexts();
  const client = useClient();
  const { attempt } = useToasts();
  const [threads, setThreads] = useState<readonly ThreadSummary[]>();
  const [leftId, setLeft] = useState(threadId);
  const [rightId, setRight] = useState<string>();
  const left = useTurns(leftId);
  const right = useTurns(rightId);
  useEffect(() => {
    void attempt(client.threads.list({ limit: 100 })).then((found) => {
      const sorted = findRelatives(found?.threads ?? [], threadId);
      setThreads(sorted);
      setRight(sorted.find(({ thread_id: id }) => id !== threadId)?.thread_id);
    });
  }, [attempt, client, threadId]);
  const compared = useMemo(() => (left && right ? compareTurns(left, right) : undefined), [left, right]);
  return (
    <Dialog className="compare" title={texts.compareTitle} onClose={onClose}>
      {threads && threads.length < 2 ? <p className="quiet">{texts.noOthers}</p> : null}
      {threads && threads.length > 1 ? (
        <div className="compare-choices">
          <ThreadChoice label={texts.compareLeft} threads={threads} value={leftId} onChange={setLeft} />
          <ThreadChoice label={texts.compareRight} threads={threads} value={rightId} onChange={setRight} />
        </div>
      ) : null}
      {compared ? (
        <ComparedView compared={compared} />
      ) : rightId ? (
        <p className="quiet">{texts.loading}</p>
      ) : null}
    </Dialog>
  );
}

function ThreadChoice(props: {
  label: string;
  threads: readonly ThreadSummary[];
  value: string | undefined;
  onChange(id: string): void;
}) {
  const texts = useTexts();
  return (
    <label className="setting">
      <span>{props.label}</span>
      <select
        className="field"
        value={props.value ?? ""}
        onChange={(event) => props.onChange(event.target.value)}
      >
        {props.threads.map(({ thread_id: id, title }) => (
          <option key={id} value={id}>
            {title ?? texts.untitled}
          </option>
        ))}
      </select>
    </label>
  );
}

function useTurns(threadId: string | undefined): readonly Turn[] | undefined {
  const client = useClient();
  const { attempt } = useToasts();
  const [loaded, setLoaded] = useState<{ readonly id: string; readonly turns: readonly Turn[] }>();
  useEffect(() => {
    if (threadId === undefined) return;
    void attempt(loadConversation(client, threadId)).then(
      (conversation) => conversation && setLoaded({ id: threadId, turns: readTurns(conversation) }),
    );
  }, [attempt, client, threadId]);
  return loaded?.id === threadId ? loaded?.turns : undefined;
}

/** Threads that are not empty, those of the same family first. */
function findRelatives(threads: readonly ThreadSummary[], threadId: string): readonly ThreadSummary[] {
  const byId = new Map(threads.map((thread) => [thread.thread_id, thread]));
  const rootOf = (id: string, seen = new Set<string>()): string => {
    const parent = byId.get(id)?.parent_thread_id;
    return parent === undefined || seen.has(id) ? id : rootOf(parent, seen.add(id));
  };
  const root = rootOf(threadId);
  const isRelative = ({ thread_id: id }: ThreadSummary) => rootOf(id) === root;
  const used = threads.filter(({ message_count: count, thread_id: id }) => count > 0 || id === threadId);
  return [...used.filter(isRelative), ...used.filter((thread) => !isRelative(thread))];
}
