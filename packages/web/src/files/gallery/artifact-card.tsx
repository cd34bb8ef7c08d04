import { Columns2, Download, MessageSquare } from "lucide-react";
import { useState } from "react";
import { isNarrow, useLayout } from "../../app/layout.tsx";
import { useTexts } from "../../i18n/language.tsx";
import { useFormat } from "../../ui/format.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { Lightbox } from "../../ui/lightbox.tsx";
import type { Conversation, Question } from "../../thread/conversation.ts";
import { showAnswer } from "../../thread/show-answer.ts";
import { iconOfFile } from "../file-icon.ts";
import type { GalleryItem, GalleryVersion } from "./gallery-items.ts";
import { VersionsDialog } from "./versions-dialog.tsx";
import { showName } from "../visible-name.ts";

/** A file that runs created: its preview, its question and its versions. */
export function ArtifactCard({ item, conversation }: { item: GalleryItem; conversation: Conversation }) {
  const texts = useTexts();
  const format = useFormat();
  const { toggleSidePanel } = useLayout();
  const { versions, path } = item;
  const name = showName(item.name);
  const [at, setAt] = useState(versions.length - 1);
  const [isComparing, compare] = useState(false);
  const shown = versions[at];
  const question = findQuestion(conversation, shown?.run_id);
  if (!shown) return null;
  const lead = (messageId: string) => {
    // On a phone the side panel covers the conversation.
    if (isNarrow()) toggleSidePanel();
    showAnswer(messageId);
  };
  return (
    <li aria-label={name}>
      <Thumbnail version={shown} path={path} name={name} />
      <strong className="ellipsis" title={showName(path)}>
        {name}
      </strong>
      <span className="quiet small-text ellipsis">
        {shown.size_bytes === undefined ? "" : `${format.bytes(shown.size_bytes)} · `}
        {format.moment(shown.at)}
      </span>
      {question ? (
        <button
          type="button"
          className="made-by small-text"
          title={question.text}
          aria-label={texts.madeBy(question.text)}
          onClick={() => lead(question.id)}
        >
          <MessageSquare size={13} aria-hidden />
          <span className="ellipsis">{question.isCode ? texts.ranByHand : question.text}</span>
        </button>
      ) : null}
      {versions.length > 1 ? (
        <div className="row">
          <select
            className="field small-text"
            aria-label={texts.versionsOf(name)}
            value={at}
            onChange={(event) => setAt(Number(event.target.value))}
          >
            {versions.map(({ at: made }, index) => (
              <option key={`${made} ${index}`} value={index}>
                {texts.versionNumber(index + 1, versions.length)}
              </option>
            ))}
          </select>
          <IconButton
            icon={Columns2}
            size={15}
            label={texts.compareVersions(name)}
            isSmall
            onClick={() => compare(true)}
          />
        </div>
      ) : null}
      {shown.url ? (
        <a className="button small" href={shown.url} download={item.name}>
          <Download size={14} aria-hidden /> {texts.download}
        </a>
      ) : (
        <span className="quiet small-text">{texts.notKept}</span>
      )}
      {isComparing ? <VersionsDialog item={item} later={at} onClose={() => compare(false)} /> : null}
    </li>
  );
}

function Thumbnail({ version, path, name }: { version: GalleryVersion; path: string; name: string }) {
  const texts = useTexts();
  const [isLarge, setLarge] = useState(false);
  const Icon = iconOfFile(path);
  if (!version.url || !version.mime.startsWith("image/")) {
    return (
      <div className="thumbnail">
        <Icon size={34} aria-hidden strokeWidth={1.2} />
      </div>
    );
  }
  return (
    <>
      <button
        type="button"
        className="thumbnail"
        aria-label={`${texts.enlarge}: ${name}`}
        onClick={() => setLarge(true)}
      >
        <img src={version.url} alt={name} loading="lazy" />
      </button>
      {isLarge ? <Lightbox url={version.url} name={name} onClose={() => setLarge(false)} /> : null}
    </>
  );
}

function findQuestion({ items }: Conversation, runId: string | undefined): Question | undefined {
  const answer = items.find((item) => item.kind === "answer" && item.id === runId);
  const messageId = answer?.kind === "answer" ? answer.messageId : undefined;
  const question = items.find((item) => item.kind === "question" && item.id === messageId);
  return question?.kind === "question" ? question : undefined;
}
