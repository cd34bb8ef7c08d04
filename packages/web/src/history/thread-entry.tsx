import type { ThreadSummary } from "@atoll/client";
import { GitBranch } from "lucide-react";
import { memo } from "react";
import { writeRoute } from "../app/route.ts";
import { useTexts } from "../i18n/language.tsx";
import { markWords } from "./mark-words.ts";
import { ThreadMenu } from "./thread-menu.tsx";

interface ThreadEntryProps {
  readonly thread: ThreadSummary;
  readonly depth: number;
  /** The search words. */
  readonly words: string;
  readonly isCurrent: boolean;
  onChosen(): void;
}

export const ThreadEntry = memo(function ThreadEntry(props: ThreadEntryProps) {
  const texts = useTexts();
  const { thread, depth, words, isCurrent, onChosen } = props;
  const { thread_id: threadId, title, snippet } = thread;
  return (
    <li className={`thread-entry depth-${depth}`}>
      <div className="thread-line">
        <a
          href={writeRoute({ page: "thread", threadId })}
          aria-current={isCurrent ? "page" : undefined}
          onClick={onChosen}
        >
          {thread.parent_thread_id ? <GitBranch size={13} aria-label={texts.branchOf} role="img" /> : null}
          <span className="ellipsis" title={title ?? undefined}>
            {title ?? texts.untitled}
          </span>
        </a>
        <ThreadMenu threadId={threadId} title={title ?? undefined} isCurrent={isCurrent} isInList />
      </div>
      {snippet ? (
        <p className="snippet">
          {markWords(snippet, words).map(({ text, isFound }, index) =>
            isFound ? <mark key={index}>{text}</mark> : <span key={index}>{text}</span>,
          )}
        </p>
      ) : null}
    </li>
  );
});
