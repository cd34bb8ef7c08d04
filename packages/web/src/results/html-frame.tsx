import { useEffect, useRef } from "react";
import { useTexts } from "../i18n/language.tsx";

const TALLEST_PX = 600;

/** HTML from a sandbox, in a frame without an origin, where no script runs and nothing is loaded. */
export function HtmlFrame({ html }: { html: string }) {
  const texts = useTexts();
  const frame = useRef<HTMLIFrameElement>(null);
  useEffect(() => {
    const hear = ({ source, data }: MessageEvent<"ready" | { heightPx: number }>) => {
      const element = frame.current;
      if (!element || source !== element.contentWindow) return;
      if (data === "ready") element.contentWindow?.postMessage(html, "*");
      else if (Number.isFinite(data.heightPx))
        element.style.height = `${Math.min(TALLEST_PX, data.heightPx + 2)}px`;
    };
    addEventListener("message", hear);
    frame.current?.contentWindow?.postMessage(html, "*");
    return () => removeEventListener("message", hear);
  }, [html]);
  return (
    <iframe
      ref={frame}
      className="html-frame"
      title={texts.htmlResult}
      sandbox="allow-scripts"
      src="/ui/html.html"
      loading="lazy"
    />
  );
}
