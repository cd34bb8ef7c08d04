import type { SharedThread } from "@atoll/client";
import { useEffect, useMemo, useState } from "react";
import { useClient } from "../app/client.tsx";
import { PageSkeleton } from "../app/page-skeleton.tsx";
import { Transcript } from "../chat/transcript.tsx";
import { LanguageButton, useTexts } from "../i18n/language.tsx";
import { useFormat } from "../ui/format.ts";
import icon from "../ui/icon.svg";
import { type ThreadActions, ThreadActionsProvider } from "./actions.tsx";
import { emptyConversation, readEvents } from "./conversation.ts";

/** A shared thread, read-only. */
export default function SharedPage({ shareId }: { shareId: string }) {
  const texts = useTexts();
  const format = useFormat();
  const client = useClient();
  const [shared, setShared] = useState<SharedThread | "gone">();
  useEffect(() => {
    client.shared(shareId).then(setShared, () => setShared("gone"));
  }, [client, shareId]);
  const conversation = useMemo(
    () => readEvents(emptyConversation, shared === undefined || shared === "gone" ? [] : shared.events),
    [shared],
  );
  const title = shared === undefined || shared === "gone" ? undefined : shared.title;
  return (
    <ThreadActionsProvider value={readOnly}>
      <main className="main shared">
        <header className="topbar">
          <img src={icon} alt="" width={24} height={24} />
          <h1 className="ellipsis spread">{title ?? texts.sharedTitle}</h1>
          <LanguageButton />
        </header>
        {shared === undefined ? <PageSkeleton /> : null}
        {shared === "gone" ? (
          <div className="page-problem">
            <p>{texts.sharedGone}</p>
          </div>
        ) : null}
        {shared !== undefined && shared !== "gone" ? (
          <>
            <p className="notice shared-note">{texts.sharedNote(format.moment(shared.shared_at))}</p>
            <Transcript items={conversation.items} isFromTop />
          </>
        ) : null}
      </main>
    </ThreadActionsProvider>
  );
}

const nothing = () => {};

const readOnly: ThreadActions = {
  threadId: "",
  isReadOnly: true,
  takeBack: nothing,
  editWaiting: nothing,
  editInBranch: nothing,
  regenerate: nothing,
  decide: async () => false,
  runCode: async () => false,
};
