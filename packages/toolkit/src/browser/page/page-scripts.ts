// What runs in pages, as text: these are not this program's types, nor its globals.

/** (bounds) → what is left of them after the frame's nodes and texts. Looks no further than they reach. */
export const COUNT_NODES = String.raw`({ nodes, chars }) => {
  const roots = [document];
  for (let root = roots.pop(); root; root = roots.pop()) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      nodes -= 1;
      if (node.nodeType === Node.ELEMENT_NODE) {
        for (const { value } of node.attributes) chars -= value.length;
        if (node.shadowRoot) roots.push(node.shadowRoot);
      } else chars -= node.nodeValue.length;
      if (nodes <= 0 || chars <= 0) return { nodes, chars };
    }
  }
  return { nodes, chars };
}`;

/** (bounds) → { text, isPartial, elements }: texts, and what can be used, in the order of the page. */
export const WALK_PAGE = String.raw`({ skipChars, maxChars }) => {
  const roles = {
    A: "link", BUTTON: "button", SUMMARY: "button", SELECT: "combobox", TEXTAREA: "textbox", IMG: "img",
    IFRAME: "iframe", H1: "heading", H2: "heading", H3: "heading", H4: "heading", H5: "heading", H6: "heading",
  };
  const inputs = { checkbox: "checkbox", radio: "radio", submit: "button", button: "button", reset: "button", image: "button", range: "slider", file: "button", hidden: "" };
  const skipped = new Set(["SCRIPT", "STYLE", "NOSCRIPT", "TEMPLATE", "HEAD", "SVG", "svg"]);
  const maxName = 200;
  const elements = new Map();
  const lines = [];
  let count = 0, seen = 0, size = 0;
  const squeeze = (text) => text.slice(0, 4 * maxName).replace(/\s+/g, " ").trim().slice(0, maxName);
  const roleOf = (element) => {
    const given = element.getAttribute("role");
    if (given) return given.slice(0, 40);
    if (element.tagName === "INPUT") return inputs[element.type] ?? "textbox";
    if (element.tagName === "A" && !element.hasAttribute("href")) return "";
    return roles[element.tagName] ?? (element.isContentEditable && !element.parentElement?.isContentEditable ? "textbox" : "");
  };
  const innerText = (element) => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    let text = "";
    for (let node = walker.nextNode(); node && text.length < maxName; node = walker.nextNode()) text += node.nodeValue.slice(0, maxName);
    return text;
  };
  const nameOf = (element) =>
    squeeze(element.getAttribute("aria-label") || element.alt || element.labels?.[0]?.textContent?.slice(0, maxName) || element.placeholder || innerText(element) || element.title || element.value || "");
  const emit = (line, element) => {
    if (element) elements.set("x" + count, element);
    seen += line.length + 1;
    if (seen <= skipChars) return;
    size += line.length + 1;
    lines.push(line);
  };
  const visit = (node) => {
    if (node.nodeType === Node.TEXT_NODE) {
      const text = node.nodeValue;
      for (let at = 0; at < text.length && size < maxChars; at += 2000) {
        const part = text.slice(at, at + 2000).replace(/\s+/g, " ").trim();
        if (part) emit("- text: " + part);
      }
      return false;
    }
    if (node.nodeType !== Node.ELEMENT_NODE || skipped.has(node.tagName) || !node.checkVisibility({ visibilityProperty: true })) return false;
    const role = roleOf(node);
    if (!role) return true;
    count += 1;
    const level = /^H[1-6]$/.test(node.tagName) ? " [level=" + node.tagName[1] + "]" : "";
    const value = node.tagName === "INPUT" || node.tagName === "TEXTAREA" ? squeeze(node.type === "password" ? "" : node.value) : "";
    emit("- " + role + " " + JSON.stringify(nameOf(node)) + level + " [ref=x" + count + "]" + (value ? ": " + value : ""), node);
    return !["link", "button", "heading", "img", "combobox", "textbox", "checkbox", "radio"].includes(role);
  };
  const top = document.body ?? document.documentElement;
  let node = top?.firstChild ?? null;
  while (node && size < maxChars) {
    let next = visit(node) ? (node.shadowRoot ?? node).firstChild : null;
    while (!next && node && node !== top) {
      next = node.nextSibling;
      if (!next) node = node.parentNode instanceof ShadowRoot ? node.parentNode.host : node.parentNode;
    }
    node = next;
  }
  return { text: lines.join("\n").slice(0, maxChars), isPartial: node !== null, elements };
}`;
