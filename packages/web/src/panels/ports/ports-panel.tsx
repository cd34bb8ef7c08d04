import type { PortList } from "@atoll/client";
import { useCallback, useEffect, useState } from "react";
import { useClient } from "../../app/client.tsx";
import { useTexts } from "../../i18n/language.tsx";
import type { PanelProps } from "../side-panel.tsx";
import { PortView } from "./port-view.tsx";
import { useStatus } from "../sandbox/status-watch.ts";

export type Preview = PortList["previews"][number];

const EVERY_MS = 2000;

/** The sandbox's listening ports, updated as they open and close. */
export default function PortsPanel({ threadId }: PanelProps) {
  const texts = useTexts();
  const state = useStatus(threadId)?.sandbox_status;
  const previews = usePreviews(threadId, state === "hot");
  const [chosen, choose] = useState<Preview>();
  useEffect(() => {
    if (!chosen && previews?.[0]) choose(previews[0]);
  }, [chosen, previews]);
  if (!previews) return <p className="panel quiet">{texts.loading}</p>;
  const isOpen = previews.some(({ port }) => port === chosen?.port);
  const listed = chosen && !isOpen ? [...previews, chosen] : previews;
  if (!chosen) return <p className="panel quiet">{texts.noPorts}</p>;
  return (
    <div className="panel fill ports">
      <ul className="strip" aria-label={texts.ports}>
        {listed.map((preview) => {
          const isChosen = preview.port === chosen.port;
          return (
            <li key={preview.port} className={isChosen ? "is-current" : ""}>
              <button type="button" aria-current={isChosen} onClick={() => choose(preview)}>
                {preview.port}
              </button>
            </li>
          );
        })}
      </ul>
      <PortView key={chosen.port} preview={chosen} isOpen={isOpen} />
    </div>
  );
}

/** A suspended sandbox has no open port and is not woken to ask. */
function usePreviews(threadId: string, isAwake: boolean): readonly Preview[] | undefined {
  const client = useClient();
  const [previews, setPreviews] = useState<readonly Preview[]>();
  const look = useCallback(
    async (signal: AbortSignal) => {
      if (document.visibilityState !== "visible") return;
      const found = await client.threads.ports(threadId, { signal }).catch(() => undefined);
      if (found && !signal.aborted) setPreviews(found.previews);
    },
    [client, threadId],
  );
  useEffect(() => {
    const end = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const again = async () => {
      await look(end.signal);
      if (!end.signal.aborted) timer = setTimeout(() => void again(), EVERY_MS);
    };
    if (isAwake) void again();
    else setPreviews([]);
    return () => {
      end.abort();
      clearTimeout(timer);
    };
  }, [look, isAwake]);
  return previews;
}
