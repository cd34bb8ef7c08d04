import type { Share } from "@atoll/client";
import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { useClient } from "../app/client.tsx";
import { useToasts } from "../app/toasts.tsx";
import { useTexts } from "../i18n/language.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { useFormat } from "../ui/format.ts";

/** Creates and copies a link to the thread as it is now. The link can be revoked. */
export default function ShareDialog({ threadId, onClose }: { threadId: string; onClose(): void }) {
  const texts = useTexts();
  const client = useClient();
  const format = useFormat();
  const { attempt, show } = useToasts();
  const [made, setMade] = useState<Share>();
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    client.threads.shares(threadId).then(
      ({ shares }) => setMade((known) => known ?? shares.at(-1)),
      () => {},
    );
  }, [client, threadId]);
  const link = made ? linkOf(made) : "";
  const copy = async (text: string) => {
    // If the clipboard is denied, the field below still shows the link.
    setCopied(
      await navigator.clipboard.writeText(text).then(
        () => true,
        () => false,
      ),
    );
  };
  const share = async () => {
    const share = await attempt(client.threads.share(threadId));
    if (!share) return;
    setMade(share);
    await copy(linkOf(share));
  };
  const takeBack = async () => {
    if (!made) return;
    const isDone = client.threads.unshare(threadId, made.share_id).then(() => true);
    if (!(await attempt(isDone))) return;
    show(texts.notShared);
    onClose();
  };
  return (
    <Dialog className="share" title={texts.share} onClose={onClose}>
      <p className="quiet">{texts.shareHint}</p>
      {made === undefined ? (
        <div className="row dialog-actions">
          <button type="button" className="button primary" data-first onClick={() => void share()}>
            <Copy size={15} aria-hidden /> {texts.copyLink}
          </button>
        </div>
      ) : (
        <>
          <input
            className="field mono"
            readOnly
            value={link}
            aria-label={texts.shareLink}
            onFocus={(event) => event.target.select()}
          />
          <p className="small-text" role="status">
            {isCopied ? texts.shared : texts.sharedNote(format.moment(made.shared_at))}
          </p>
          <div className="row dialog-actions">
            <button type="button" className="button danger" onClick={() => void takeBack()}>
              {texts.stopSharing}
            </button>
            <button type="button" className="button primary" onClick={() => void share()}>
              {isCopied ? <Check size={15} aria-hidden /> : <Copy size={15} aria-hidden />} {texts.copyLink}
            </button>
          </div>
        </>
      )}
    </Dialog>
  );
}

function linkOf({ url }: Share): string {
  return new URL(url, location.origin).href;
}
