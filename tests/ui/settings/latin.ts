import type { Page } from "playwright-core";

/** Names that are the same in Chinese, keys and units. */
const names = [
  ..."Atoll Python JavaScript Git CSV PNG JSON PDF Markdown Excel Parquet OpenAI Anthropic Google EN English".split(
    " ",
  ),
  ..."Esc Enter Shift Ctrl Tab Chromium URL MCP GiB MiB KiB GB MB kB TB ATOLL_TOKEN".split(" "),
  "transactions.csv",
  "openai:scripted",
  "/workspace",
  "/data",
  "/session/artifacts",
  "/tmp",
  "data.example.org",
  "*.example.com",
  "python -m http.server 8000",
  "http://localhost:11434/v1",
];

/** Text of users and programs, which is not translated. */
const content = [
  "h1",
  ".thread-line a",
  ".bubble",
  ".prose",
  ".columns",
  ".starter",
  ".call-about",
  ".mono",
  ".snippet",
  "pre",
  "code",
  "kbd",
  "table",
  "[role=grid]",
  ".artifacts",
  ".gallery li",
  ".tree",
  ".editor",
  ".xterm",
  ".todos",
  ".error-card",
  ".compared",
  "option",
  "iframe",
  "noscript",
].join(", ");

/** Latin words among the page's own texts, visible or for screen readers. */
export async function findLatin(page: Page): Promise<string[]> {
  const texts = await page.evaluate<string[]>(COLLECT_TEXTS);
  const strip = (text: string) => names.reduce((rest, name) => rest.replaceAll(name, " "), text);
  return [...new Set(texts.filter((text) => /[A-Za-z]{2,}/.test(strip(text))))];
}

/** Runs in the page. */
const COLLECT_TEXTS = `(() => {
  const found = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const element = node instanceof Element ? node : node.parentElement;
    if (element.closest(${JSON.stringify(content)})) continue;
    if (!(node instanceof Element)) found.push(node.textContent);
    else if (!node.matches(".thread-entry *, .call"))
      for (const name of ["aria-label", "title", "placeholder", "alt"]) found.push(node.getAttribute(name) ?? "");
  }
  return found;
})()`;
