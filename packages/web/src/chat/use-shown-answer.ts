import { type RefObject, useEffect } from "react";
import type { Item } from "../thread/conversation.ts";
import { onShowAnswer } from "../thread/show-answer.ts";

interface Way {
  readonly items: readonly Item[];
  readonly scroller: RefObject<HTMLElement | null>;
  /** Scrolls to a row, so that it is rendered. */
  scrollTo(index: number): void;
  /** Stops following new content. */
  leave(): void;
}

const MOST_FRAMES = 60;

/** Scrolls to an answer that another part of the page asks for, and marks it briefly. */
export function useShownAnswer({ items, scroller, scrollTo, leave }: Way): void {
  useEffect(() =>
    onShowAnswer((messageId) => {
      const index = items.findIndex((item) => item.kind === "answer" && item.messageId === messageId);
      if (index === -1) return;
      leave();
      let frames = 0;
      const look = () => {
        scrollTo(index);
        const answer = scroller.current?.querySelector<HTMLElement>(
          `.answer[data-message="${CSS.escape(messageId)}"]`,
        );
        frames += 1;
        if (!answer) return frames < MOST_FRAMES ? void requestAnimationFrame(look) : undefined;
        answer.tabIndex = -1;
        answer.focus({ preventScroll: true });
        answer.classList.add("shown");
        answer.addEventListener("animationend", () => answer.classList.remove("shown"), { once: true });
        return undefined;
      };
      requestAnimationFrame(look);
    }),
  );
}
