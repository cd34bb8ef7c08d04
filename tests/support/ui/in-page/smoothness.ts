interface Watch {
  readonly longTasks: number[];
  readonly frames: number[];
  readonly observer: PerformanceObserver;
  isOver: boolean;
}

declare global {
  var atollWatch: Watch | undefined;
}

/** Records every frame and every task longer than 50 ms until `endWatch`. */
export function beginWatch(): void {
  const longTasks: number[] = [];
  const note = (entries: PerformanceEntryList) => longTasks.push(...entries.map(({ duration }) => duration));
  const observer = new PerformanceObserver((list) => note(list.getEntries()));
  observer.observe({ type: "longtask" });
  const watch: Watch = { longTasks, frames: [], observer, isOver: false };
  globalThis.atollWatch = watch;
  let last: number | undefined;
  const tick = (now: number) => {
    if (last !== undefined) watch.frames.push(now - last);
    last = now;
    if (!watch.isOver) requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
}

export function endWatch(): { longTasks: number[]; frames: number[] } {
  const watch = globalThis.atollWatch;
  if (!watch) throw new Error("nothing is watched");
  watch.isOver = true;
  watch.longTasks.push(...watch.observer.takeRecords().map(({ duration }) => duration));
  watch.observer.disconnect();
  return { longTasks: watch.longTasks, frames: watch.frames };
}

/** Scrolls the conversation to its start, most of a window per frame. Returns the highest number of rows in the page. */
export async function scrollToStart(): Promise<{ mostRows: number }> {
  const scroller = document.querySelector(".transcript");
  if (!scroller) throw new Error("there is no conversation");
  scroller.dispatchEvent(new WheelEvent("wheel", { deltaY: -1 }));
  let mostRows = 0;
  for (let still = 0; still < 10; still = scroller.scrollTop === 0 ? still + 1 : 0) {
    scroller.scrollTop = Math.max(0, scroller.scrollTop - scroller.clientHeight * 0.8);
    await new Promise((resolve) => requestAnimationFrame(resolve));
    mostRows = Math.max(mostRows, document.querySelectorAll(".transcript-row").length);
  }
  return { mostRows };
}

declare global {
  var atollKeys: number[] | undefined;
}

/** Records the time from a key to the frame that shows it. */
export function watchKeys(): void {
  const delays: number[] = [];
  globalThis.atollKeys = delays;
  addEventListener("keydown", ({ timeStamp }) => {
    requestAnimationFrame(() => setTimeout(() => delays.push(performance.now() - timeStamp)));
  });
}

export function readKeys(): number[] {
  return globalThis.atollKeys ?? [];
}

/** The floor: a page that only appends the words of an answer to the document, once per frame. */
export function appendWords(threadId: string): void {
  const place = document.body.appendChild(document.createElement("pre"));
  const source = new EventSource(`/thread/${threadId}/events`);
  let waiting = "";
  const show = () => {
    const [first = "", ...further] = waiting.split("\n");
    waiting = "";
    (place.lastElementChild ?? place.appendChild(document.createElement("div"))).append(first);
    for (const line of further) place.appendChild(document.createElement("div")).append(line);
    scrollTo(0, document.documentElement.scrollHeight);
  };
  source.addEventListener("token", ({ data }) => {
    if (waiting === "") requestAnimationFrame(show);
    waiting += (JSON.parse(data as string) as { text: string }).text;
  });
  source.addEventListener("done", () => {
    source.close();
    place.className = "is-done";
  });
}
