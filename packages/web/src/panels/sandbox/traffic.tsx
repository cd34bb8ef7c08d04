import type { ThreadStatus, TrafficEntry } from "@atoll/client";
import { Ban, CircleCheck, CircleX } from "lucide-react";
import { useEffect, useState } from "react";
import { useClient } from "../../app/client.tsx";
import { useTexts } from "../../i18n/language.tsx";
import { useFormat } from "../../ui/format.ts";

const SHOWN = 20;
const icons = { allowed: CircleCheck, refused: Ban, failed: CircleX };

/** The sandbox's recent network requests. */
export function Traffic({ threadId, status }: { threadId: string; status: ThreadStatus }) {
  const texts = useTexts();
  const format = useFormat();
  const client = useClient();
  const [entries, setEntries] = useState<readonly TrafficEntry[]>([]);
  // The log has grown, perhaps by network events.
  useEffect(() => {
    const end = new AbortController();
    client.threads.traffic(threadId, { limit: SHOWN, signal: end.signal }).then(
      ({ traffic }) => setEntries(traffic),
      () => {},
    );
    return () => end.abort();
  }, [client, threadId, status.last_event_id]);
  return (
    <>
      <h2>{texts.traffic}</h2>
      {entries.length === 0 ? <p className="quiet small-text">{texts.noTraffic}</p> : null}
      <ul className="traffic">
        {entries.map(
          ({ at, method, host, port, outcome, reason, count, received_bytes: received }, index) => {
            const Icon = icons[outcome];
            return (
              <li key={`${at} ${index}`} className={outcome} title={reason ?? format.moment(at)}>
                <Icon size={15} aria-hidden />
                <span className="visually-hidden">{texts.outcomes[outcome]}</span>
                <span className="mono ellipsis spread">
                  {method} {host}:{port}
                </span>
                {count > 1 ? <span className="quiet">{texts.times(count)}</span> : null}
                <span className="quiet">
                  {outcome === "allowed" ? format.bytes(received) : texts.outcomes[outcome]}
                </span>
              </li>
            );
          },
        )}
      </ul>
    </>
  );
}
