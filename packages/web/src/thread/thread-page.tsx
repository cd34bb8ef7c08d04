import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { Announcer } from "../app/announcer.tsx";
import { useClient } from "../app/client.tsx";
import { useLayout } from "../app/layout.tsx";
import { PageSkeleton } from "../app/page-skeleton.tsx";
import { goTo } from "../app/route.ts";
import { useAsk } from "../app/questions.tsx";
import { useToasts } from "../app/toasts.tsx";
import { TopBar } from "../app/top-bar.tsx";
import { Composer } from "../chat/composer/composer.tsx";
import { Transcript } from "../chat/transcript.tsx";
import { Welcome } from "../chat/welcome.tsx";
import { uploadInto } from "../files/upload/upload-file.ts";
import { useFileDrop } from "../files/upload/use-file-drop.ts";
import { useUploads } from "../files/upload/use-uploads.ts";
import { refreshStatus } from "../panels/sandbox/status-watch.ts";
import { refreshThreads } from "../history/list-refresh.ts";
import { useTexts } from "../i18n/language.tsx";
import { type ThreadActions, ThreadActionsProvider } from "./actions.tsx";
import type { Conversation, Item, Notice } from "./conversation.ts";
import { TemporaryNote } from "./temporary-note.tsx";
import { useSuggestions } from "./use-suggestions.ts";
import { useThread } from "./use-thread.ts";
import { useThreadFacts } from "./use-thread-facts.ts";

const SidePanel = lazy(() => import("../panels/side-panel.tsx"));

export function ThreadPage({ threadId, isSidePanelOpen }: { threadId: string; isSidePanelOpen: boolean }) {
  const client = useClient();
  const texts = useTexts();
  const { attempt } = useToasts();
  const { isCovered } = useLayout();
  const askUser = useAsk();
  const { conversation, connection } = useThread(threadId);
  const [text, setText] = useState("");
  const field = useRef<HTMLTextAreaElement>(null);
  const uploads = useUploads(useMemo(() => uploadInto(client, threadId), [client, threadId]));
  const isDropping = useFileDrop(uploads.add);
  const { items, data } = conversation;
  const suggestions = useSuggestions(threadId, data);
  const { title, temporary } = useThreadFacts(threadId, conversation.title);
  const isRunning = items.some((item) => item.kind === "answer" && !item.done);

  // A run wakes the sandbox.
  useEffect(() => refreshStatus(threadId), [threadId, isRunning]);

  const ask = useCallback(
    (question: string) => {
      setText("");
      uploads.clear();
      void attempt(client.threads.queue(threadId, question), { onFailure: () => setText(question) }).then(
        refreshThreads,
      );
    },
    [attempt, client, threadId, uploads],
  );
  const stop = useCallback(() => void attempt(client.threads.stop(threadId)), [attempt, client, threadId]);
  // Stable while an answer streams in: otherwise the whole transcript would render again.
  const latest = useRef(conversation);
  latest.current = conversation;
  const actions = useMemo<ThreadActions>(() => {
    const branchAt = async (messageId: string, question: string) => {
      const branch = await attempt(client.threads.branch(threadId, { message_id: messageId, before: true }));
      if (!branch) return;
      goTo({ page: "thread", threadId: branch.thread_id });
      await attempt(client.threads.queue(branch.thread_id, question));
    };
    return {
      threadId,
      isReadOnly: false,
      takeBack: (id) => void attempt(client.threads.withdraw(threadId, id)),
      editWaiting: ({ id, text: question }) => {
        void attempt(client.threads.withdraw(threadId, id).then(() => true)).then((isBack) => {
          if (!isBack) return;
          // Keeps what the user is writing.
          setText((now) => (now.trim() === "" ? question : `${question}\n\n${now}`));
          field.current?.focus();
        });
      },
      editInBranch: ({ id, text: question }) => {
        void askUser({
          title: texts.editInBranch,
          text: question,
          isLong: true,
          action: texts.send,
        }).then((changed) => (changed === undefined ? undefined : branchAt(id, changed)));
      },
      regenerate: (messageId) => {
        const question = findQuestion(latest.current, messageId);
        if (question !== undefined) void branchAt(messageId, question);
      },
      decide: async (approvalId, { decision, ...more }) => {
        const isTaken = client.threads.decide(threadId, approvalId, decision, more).then(() => true);
        return (await attempt(isTaken)) ?? false;
      },
      runCode: async (code, language) => {
        return (await attempt(client.threads.runCode(threadId, code, { language }))) !== undefined;
      },
    };
  }, [attempt, askUser, client, threadId, texts]);

  const recall = () => {
    const last = items.findLast((item) => item.kind === "question" && !item.isCode);
    if (last?.kind !== "question") return;
    if (last.state === "waiting") actions.editWaiting(last);
    else setText(last.text);
  };

  return (
    <ThreadActionsProvider value={actions}>
      <main className="main" inert={isCovered}>
        <TopBar threadId={threadId} title={title} />
        {temporary && connection !== "gone" ? (
          <TemporaryNote threadId={threadId} temporary={temporary} />
        ) : null}
        {connection === "gone" ? <ThreadGone /> : null}
        <Announcer items={items} />
        {items.every(({ kind }) => kind === "notice") ? (
          connection === "live" ? (
            <Welcome data={data} suggestions={suggestions} onAsk={ask} notices={items.filter(isFailure)} />
          ) : connection === "loading" ? (
            <PageSkeleton />
          ) : null
        ) : (
          <Transcript items={items} />
        )}
        <Composer
          text={text}
          setText={setText}
          isRunning={isRunning}
          uploads={uploads}
          send={() => ask(text.trim())}
          stop={stop}
          field={field}
          recall={recall}
        />
        {isDropping ? <div className="drop-veil">{texts.dropHere}</div> : null}
      </main>
      {isSidePanelOpen ? (
        <Suspense fallback={<aside className="side-panel" />}>
          <SidePanel threadId={threadId} conversation={conversation} />
        </Suspense>
      ) : null}
    </ThreadActionsProvider>
  );
}

function ThreadGone() {
  const texts = useTexts();
  return (
    <div className="page-problem">
      <p>{texts.threadGone}</p>
      <button
        type="button"
        className="button primary"
        onClick={() => goTo({ page: "new" }, { replaces: true })}
      >
        {texts.backToStart}
      </button>
    </div>
  );
}

function findQuestion({ items }: Conversation, messageId: string): string | undefined {
  const found = items.find((item) => item.kind === "question" && item.id === messageId);
  return found?.kind === "question" ? found.text : undefined;
}

/** Of the notices before the first question, only these matter. */
function isFailure(item: Item): item is Notice {
  return item.kind === "notice" && item.event.type === "error";
}
