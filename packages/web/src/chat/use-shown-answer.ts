import { type RefObject, useEffect } from "react";
import type { Item } from "../thread/conversation.ts";
import { onShowAnswer } from "../thread/show-answer.ts";

interface Way {
  readonly items: readonly Item[];
  readonly scroller: RefObject<HTMLElement | null>;
  /** Brings a row near the window, so that it is in the page. */
  scrollTo(index: number): void;
  /** The reader no longer follows what comes. */
  leave(): void;
}

const MOST_FRAMES = 60;

/** Goes to the answer that somebody asks for elsewhere on the page, and marks it for a moment. */
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
