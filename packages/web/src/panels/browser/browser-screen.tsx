import type { BrowserInput } from "@atoll/client";
import { type KeyboardEvent, type PointerEvent, useEffect, useRef } from "react";
import { useTexts } from "../../i18n/language.tsx";
import type { Frame } from "./browser-panel.tsx";
import { nameKey } from "./key-names.ts";

interface BrowserScreenProps {
  readonly frame: Frame;
  readonly isTaken: boolean;
  use(input: BrowserInput): void;
}

const MOVE_EVERY_MS = 80;

/**
 * The picture of the page. While the user controls it, an invisible field on top takes pointers, keys and the text of
 * input methods.
 */
export function BrowserScreen({ frame, isTaken, use }: BrowserScreenProps) {
  const texts = useTexts();
  const field = useRef<HTMLTextAreaElement>(null);
  const movedAt = useRef(0);
  const isWriting = useRef(false);
  const { width, height } = frame;
  useEffect(() => {
    if (isTaken) field.current?.focus();
  }, [isTaken]);
  useEffect(() => {
    const element = field.current;
    if (!element) return undefined;
    // React's listener is passive, so the page behind would scroll too.
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      use({
        type: "wheel",
        ...placeOf(event, element, width, height),
        delta_x: event.deltaX,
        delta_y: event.deltaY,
      });
    };
    element.addEventListener("wheel", onWheel, { passive: false });
    return () => element.removeEventListener("wheel", onWheel);
  }, [use, width, height, isTaken]);

  const sendMouse = (action: "down" | "up" | "move") => (event: PointerEvent<HTMLTextAreaElement>) => {
    if (action === "move" && event.timeStamp - movedAt.current < MOVE_EVERY_MS) return;
    movedAt.current = event.timeStamp;
    const button = (["left", "middle", "right"] as const)[event.button] ?? "left";
    const place = placeOf(event, event.currentTarget, width, height);
    use({ type: "mouse", action, ...place, ...(action === "move" ? {} : { button }) });
  };
  const sendText = (element: HTMLTextAreaElement) => {
    if (element.value !== "") use({ type: "text", text: element.value });
    element.value = "";
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const key = nameKey(event.nativeEvent);
    if (isWriting.current || key === undefined) return;
    event.preventDefault();
    use({ type: "key", key });
  };
  return (
    <div className="browser-screen">
      <img
        src={`data:image/jpeg;base64,${frame.jpeg}`}
        alt={`${texts.browserPage}: ${frame.title}`}
        draggable={false}
      />
      {isTaken ? (
        <textarea
          ref={field}
          aria-label={texts.browserPage}
          spellCheck={false}
          autoComplete="off"
          onPointerDown={sendMouse("down")}
          onPointerUp={sendMouse("up")}
          onPointerMove={sendMouse("move")}
          onContextMenu={(event) => event.preventDefault()}
          onKeyDown={onKeyDown}
          onCompositionStart={() => (isWriting.current = true)}
          onCompositionEnd={(event) => {
            isWriting.current = false;
            sendText(event.currentTarget);
          }}
          onInput={(event) => isWriting.current || sendText(event.currentTarget)}
        />
      ) : null}
    </div>
  );
}

/** In the page's own pixels, at any displayed size. */
function placeOf(
  event: { clientX: number; clientY: number },
  element: HTMLElement,
  width: number,
  height: number,
) {
  const box = element.getBoundingClientRect();
  const within = (share: number, most: number) => Math.round(Math.min(1, Math.max(0, share)) * (most - 1));
  return {
    x: within((event.clientX - box.left) / box.width, width),
    y: within((event.clientY - box.top) / box.height, height),
  };
}
