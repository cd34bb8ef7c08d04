import { useVirtualizer } from "@tanstack/react-virtual";
import { ArrowDown } from "lucide-react";
import { useCallback, useEffect, useLayoutEffect, useRef } from "react";
import { useTexts } from "../i18n/language.tsx";
import type { Item } from "../thread/conversation.ts";
import { AnswerView } from "./answer.tsx";
import { NoticeView } from "./notice.tsx";
import { QuestionView } from "./question.tsx";
import { useFollowing } from "./use-following.ts";
import { useShownAnswer } from "./use-shown-answer.ts";

/** Renders only the items near the viewport, since a thread may be very long. */
export function Transcript({ items, isFromTop = false }: { items: readonly Item[]; isFromTop?: boolean }) {
  const texts = useTexts();
  const scroller = useRef<HTMLDivElement>(null);
  const { isFollowing, follow, leave } = useFollowing(scroller, isFromTop);
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (items[index]?.kind === "answer" ? 320 : 72),
    getItemKey: (index) => items[index]?.id ?? index,
    overscan: 4,
  });
  useShownAnswer({
    items,
    scroller,
    leave,
    scrollTo: (index) => rows.scrollToIndex(index, { align: "start" }),
  });
  const toEnd = useCallback(() => {
    const element = scroller.current;
    if (element) element.scrollTop = element.scrollHeight;
  }, []);
  const height = rows.getTotalSize();
  useLayoutEffect(() => {
    if (isFollowing) toEnd();
  }, [isFollowing, height, items, toEnd]);
  useEffect(() => {
    const element = scroller.current;
    if (!element || !isFollowing) return undefined;
    const watcher = new ResizeObserver(toEnd);
    watcher.observe(element);
    return () => watcher.disconnect();
  }, [isFollowing, toEnd]);
  return (
    <div className="transcript-frame">
      <div
        className="transcript"
        ref={scroller}
        role="log"
        aria-label={texts.conversation}
        aria-live="off"
        tabIndex={0}
      >
        <div
          className="transcript-rows"
          ref={(element) => void element?.style.setProperty("height", `${height}px`)}
        >
          {rows.getVirtualItems().map((row) => {
            const item = items[row.index];
            return item ? (
              <div
                key={row.key}
                data-index={row.index}
                className="transcript-row"
                ref={(element) => {
                  if (!element) return;
                  element.style.transform = `translateY(${row.start}px)`;
                  rows.measureElement(element);
                }}
              >
                <ItemView item={item} />
              </div>
            ) : null;
          })}
        </div>
      </div>
      {isFollowing || isFromTop ? null : (
        <button type="button" className="button jump" onClick={follow}>
          <ArrowDown size={16} aria-hidden /> {texts.jumpToLatest}
        </button>
      )}
    </div>
  );
}

function ItemView({ item }: { item: Item }) {
  if (item.kind === "question") return <QuestionView question={item} />;
  if (item.kind === "answer") return <AnswerView answer={item} />;
  return <NoticeView notice={item} />;
}
