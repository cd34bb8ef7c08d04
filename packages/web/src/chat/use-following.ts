import { type RefObject, useEffect, useState } from "react";

/** A reader this close to the end follows along; one who has scrolled up is left there. */
const NEAR_PX = 80;
const INTENT_MS = 800;

/**
 * Whether the view follows new content. Measuring rows scrolls too, so only user input, or moving up while nothing grew,
 * counts as scrolling away.
 */
export function useFollowing(scroller: RefObject<HTMLElement | null>, isFromTop: boolean) {
  const [isFollowing, setFollowing] = useState(!isFromTop);
  useEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    let actedAt = -Infinity;
    let last = { top: element.scrollTop, height: element.scrollHeight };
    const act = () => {
      actedAt = performance.now();
    };
    const look = () => {
      const { scrollTop: top, scrollHeight: height, clientHeight } = element;
      const isByPerson = performance.now() - actedAt < INTENT_MS;
      if (height - top - clientHeight < NEAR_PX) setFollowing(true);
      else if (isByPerson || (top < last.top && height === last.height)) setFollowing(false);
      last = { top, height };
    };
    const actions = ["wheel", "touchmove", "pointerdown", "keydown"] as const;
    for (const name of actions) element.addEventListener(name, act, { passive: true });
    element.addEventListener("scroll", look, { passive: true });
    return () => {
      for (const name of actions) element.removeEventListener(name, act);
      element.removeEventListener("scroll", look);
    };
  }, [scroller]);
  return { isFollowing, follow: () => setFollowing(true), leave: () => setFollowing(false) };
}
