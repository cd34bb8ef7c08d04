import type { Artifact } from "@atoll/client";
import { useEffect, useState } from "react";
import { useClient } from "../../app/client.tsx";
import { useToasts } from "../../app/toasts.tsx";
import type { PanelProps } from "../../panels/side-panel.tsx";
import { useTexts } from "../../i18n/language.tsx";
import { useFormat } from "../../ui/format.ts";
import { countEnded } from "../../thread/count-ended.ts";
import { ArtifactCard } from "./artifact-card.tsx";
import { listItems } from "./gallery-items.ts";
import "./gallery.css";

const AT_ONCE = 48;

/** The files and plots that runs created, the newest first, each with its versions and its question. */
export default function GalleryPanel({ threadId, conversation }: PanelProps) {
  const texts = useTexts();
  const format = useFormat();
  const client = useClient();
  const { attempt } = useToasts();
  const [artifacts, setArtifacts] = useState<readonly Artifact[]>();
  const [shown, setShown] = useState(AT_ONCE);
  const ended = countEnded(conversation);
  useEffect(() => {
    void attempt(client.threads.artifacts(threadId)).then((found) => {
      if (found) setArtifacts(found.artifacts);
    });
  }, [attempt, client, threadId, ended]);
  if (!artifacts) return null;
  const items = listItems(artifacts, conversation);
  const left = items.length - shown;
  return (
    <div className="panel">
      {items.length === 0 ? <p className="quiet">{texts.noResults}</p> : null}
      <ul className="gallery" aria-label={texts.gallery}>
        {items.slice(0, shown).map((item) => (
          <ArtifactCard
            // A new version replaces the one that was selected.
            key={`${item.path} ${item.versions.length}`}
            item={item}
            conversation={conversation}
          />
        ))}
      </ul>
      {left > 0 ? (
        <button type="button" className="button" onClick={() => setShown(shown + AT_ONCE)}>
          {texts.andMore(format.number(left))}
        </button>
      ) : null}
    </div>
  );
}
