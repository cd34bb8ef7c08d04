import type { BrowserInput, BrowserView } from "@atoll/client";
import { ArrowLeft, ArrowRight, Hand, HandGrab, RotateCw } from "lucide-react";
import { useCallback, useEffect, useRef, useState } from "react";
import { useClient } from "../../app/client.tsx";
import { useToasts } from "../../app/toasts.tsx";
import { useTexts } from "../../i18n/language.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import type { PanelProps } from "../side-panel.tsx";
import { BrowserScreen } from "./browser-screen.tsx";
import { BrowserTabs } from "./browser-tabs.tsx";
import "./browser.css";

export type Frame = BrowserView & { type: "frame" };

/** Shows the thread's browser live. The user can take it over. */
export default function BrowserPanel({ threadId }: PanelProps) {
  const texts = useTexts();
  const client = useClient();
  const { attempt } = useToasts();
  const view = useBrowserView(threadId);
  const [isTaken, setTaken] = useState(false);
  const [address, setAddress] = useState<string>();
  const frame = view?.type === "frame" ? view : undefined;
  // Sent one at a time: input must arrive in order.
  const queue = useRef<Promise<unknown>>(Promise.resolve());
  const use = useCallback(
    (input: BrowserInput) => {
      queue.current = queue.current.then(() => attempt(client.browsers.use(threadId, input)));
    },
    [attempt, client, threadId],
  );
  useEffect(() => setAddress(undefined), [frame?.url]);
  const go = () => {
    const url = (address ?? "").trim();
    if (url !== "") use({ type: "navigate", url });
  };
  const moves = [
    { action: "back", label: texts.browserBack, Icon: ArrowLeft },
    { action: "forward", label: texts.browserForward, Icon: ArrowRight },
    { action: "reload", label: texts.browserReload, Icon: RotateCw },
  ] as const;
  return (
    <div className="panel browser">
      <form
        className="panel-bar"
        onSubmit={(event) => {
          event.preventDefault();
          go();
        }}
      >
        {moves.map(({ action, label, Icon }) => (
          <IconButton
            key={action}
            icon={Icon}
            size={15}
            label={label}
            isSmall
            disabled={!frame}
            onClick={() => use({ type: "history", action })}
          />
        ))}
        <input
          className="field mono spread"
          value={address ?? frame?.url ?? ""}
          onChange={(event) => setAddress(event.target.value)}
          aria-label={texts.browserAddress}
          placeholder="example.com · localhost:8000"
        />
        <button type="submit" className="button small">
          {texts.browserGo}
        </button>
      </form>
      {frame ? (
        <>
          <BrowserTabs tabs={frame.tabs} use={use} />
          <BrowserScreen frame={frame} isTaken={isTaken} use={use} />
          <div className="row">
            <span className="quiet small-text spread">{isTaken ? texts.takeOverHint : texts.watchHint}</span>
            <button
              type="button"
              className={`button small ${isTaken ? "" : "primary"}`}
              aria-pressed={isTaken}
              onClick={() => setTaken(!isTaken)}
            >
              {isTaken ? <Hand size={14} aria-hidden /> : <HandGrab size={14} aria-hidden />}
              {isTaken ? texts.handBack : texts.takeOver}
            </button>
          </div>
        </>
      ) : (
        <p className="quiet">{texts.browserOff}</p>
      )}
    </div>
  );
}

const AGAIN_MS = 2000;

/** The latest frame of the thread's browser. Reconnects when the connection is lost. */
function useBrowserView(threadId: string): BrowserView | undefined {
  const client = useClient();
  const [view, setView] = useState<BrowserView>();
  useEffect(() => {
    const end = new AbortController();
    const watch = async () => {
      while (!end.signal.aborted) {
        try {
          for await (const next of client.browsers.watch(threadId, { signal: end.signal })) setView(next);
        } catch {
          // If watching is refused or fails, the panel shows that no browser runs.
        }
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
      }
    };
    void watch();
    return () => end.abort();
  }, [client, threadId]);
  return view;
}
