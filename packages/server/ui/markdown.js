/** The little Markdown that answers use, as DOM nodes: nothing of the text is ever taken for HTML. */
export function renderMarkdown(text) {
  const root = document.createDocumentFragment();
  const lines = text.split("\n");
  for (let at = 0; at < lines.length;) at = renderBlock(root, lines, at);
  return root;
}

function renderBlock(root, lines, at) {
  const line = lines[at];
  if (line.startsWith("```")) return renderFence(root, lines, at);
  if (/^\s*\|.*\|\s*$/.test(line) && /^\s*\|[\s:|-]+\|\s*$/.test(lines[at + 1] ?? "")) {
    return renderTable(root, lines, at);
  }
  const heading = /^(#{1,4})\s+(.*)/.exec(line);
  if (heading) {
    root.append(element("h" + (heading[1].length + 1), inline(heading[2])));
    return at + 1;
  }
  if (/^\s*([-*]|\d+\.)\s/.test(line)) return renderList(root, lines, at);
  if (line.trim() === "") return at + 1;
  let end = at + 1;
  while (
    end < lines.length &&
    lines[end].trim() !== "" &&
    !/^(```|#|\s*([-*]|\d+\.)\s|\s*\|)/.test(lines[end])
  )
    end++;
  root.append(element("p", inline(lines.slice(at, end).join("\n"))));
  return end;
}

function renderFence(root, lines, at) {
  let end = at + 1;
  while (end < lines.length && !lines[end].startsWith("```")) end++;
  root.append(element("pre", [lines.slice(at + 1, end).join("\n")]));
  return end + 1;
}

function renderList(root, lines, at) {
  const isNumbered = /^\s*\d/.test(lines[at]);
  const list = element(isNumbered ? "ol" : "ul", []);
  let end = at;
  for (; end < lines.length; end++) {
    const item = /^\s*(?:[-*]|\d+\.)\s+(.*)/.exec(lines[end]);
    if (!item) break;
    list.append(element("li", inline(item[1])));
  }
  root.append(list);
  return end;
}

function renderTable(root, lines, at) {
  const cells = (line) =>
    line
      .trim()
      .replaceAll(/^\||\|$/g, "")
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim());
  const table = element("table", [
    element(
      "tr",
      cells(lines[at]).map((cell) => element("th", inline(cell))),
    ),
  ]);
  let end = at + 2;
  for (; end < lines.length && /^\s*\|/.test(lines[end]); end++) {
    table.append(
      element(
        "tr",
        cells(lines[end]).map((cell) => element("td", inline(cell))),
      ),
    );
  }
  const box = element("div", [table]);
  box.className = "wide";
  root.append(box);
  return end;
}

function inline(text) {
  const parts = text.split(/(`[^`]+`|\*\*[^*]+\*\*|\[[^\]]+\]\(https?:[^)\s]+\))/);
  return parts.map((part) => {
    if (part.startsWith("`")) return element("code", [part.slice(1, -1)]);
    if (part.startsWith("**")) return element("strong", [part.slice(2, -2)]);
    const link = /^\[([^\]]+)\]\((https?:[^)\s]+)\)$/.exec(part);
    if (!link) return part.replaceAll(/\\([\\`*_|[\]<>#-])/g, "$1");
    return Object.assign(element("a", [link[1]]), {
      href: link[2],
      target: "_blank",
      rel: "noopener noreferrer",
    });
  });
}

export function element(name, children, properties = {}) {
  const node = Object.assign(document.createElement(name), properties);
  node.append(...children);
  return node;
}
