// Runs in a frame without an origin. Its policy blocks the content's scripts and all loading.
import "./frame.css";

/** Elements that would navigate the frame, or only show what the policy blocks. */
const UNWANTED = "meta, base, link, script, iframe, frame, frameset, object, embed";

const content = document.querySelector<HTMLElement>("#content");

addEventListener("message", ({ source, data }: MessageEvent<string>) => {
  if (source !== parent || !content || typeof data !== "string") return;
  const { head, body } = new DOMParser().parseFromString(data, "text/html");
  for (const element of [head, body].flatMap((part) => [...part.querySelectorAll(UNWANTED)]))
    element.remove();
  content.replaceChildren(...head.childNodes, ...body.childNodes);
});
addEventListener("click", (event) => {
  const link = event.target instanceof Element ? event.target.closest("a[href], area[href]") : null;
  if (link && !link.getAttribute("href")?.startsWith("#")) event.preventDefault();
});
if (content) {
  const tellHeight = () => parent.postMessage({ heightPx: document.documentElement.offsetHeight }, "*");
  new ResizeObserver(tellHeight).observe(content);
}
parent.postMessage("ready", "*");
