import type { TemporaryThread } from "@atoll/client";
import { Timer } from "lucide-react";
import { useEffect } from "react";
import { useClient } from "../app/client.tsx";
import { goTo } from "../app/route.ts";
import { useToasts } from "../app/toasts.tsx";
import { useTexts } from "../i18n/language.tsx";
import "./temporary.css";

interface TemporaryNoteProps {
  readonly threadId: string;
  readonly temporary: TemporaryThread;
}

/** Says that the thread is temporary, and reports to the server when its page closes. A reload keeps the thread. */
export function TemporaryNote({ threadId, temporary }: TemporaryNoteProps) {
  const client = useClient();
  const texts = useTexts();
  const { attempt } = useToasts();
  useEffect(() => {
    const leave = () => navigator.sendBeacon(client.threads.leaveUrl(threadId));
    addEventListener("pagehide", leave);
    return () => removeEventListener("pagehide", leave);
  }, [client, threadId]);
  const end = async () => {
    if (await attempt(client.threads.remove(threadId).then(() => true)))
      goTo({ page: "new" }, { replaces: true });
  };
  return (
    <p className="temporary-note small-text" role="note">
      <Timer size={15} aria-hidden />
      <span className="spread">{texts.temporaryNote(Math.max(1, Math.round(temporary.ttl_s / 60)))}</span>
      <button type="button" className="button small" onClick={() => void end()}>
        {texts.endNow}
      </button>
    </p>
  );
}
