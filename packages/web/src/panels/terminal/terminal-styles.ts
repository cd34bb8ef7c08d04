import type { Terminal } from "@xterm/xterm";

/**
 * xterm writes `<style>` elements and `style` attributes, which the page's policy forbids. This opens it so that its
 * sheets become sheets of the shadow root and its attributes are set through `element.style`.
 */
export function openWithStyles(terminal: Terminal, place: HTMLElement, root: ShadowRoot): void {
  const create = ((name: string, options?: ElementCreationOptions) =>
    name === "style"
      ? createSheet(root)
      : Document.prototype.createElement.call(document, name, options)) as Document["createElement"];
  terminal.options.documentOverride = new Proxy(document, {
    get(target, key) {
      if (key === "createElement") return create;
      const value: unknown = Reflect.get(target, key);
      return typeof value === "function" ? value.bind(target) : value;
    },
    set: (target, key, value) => Reflect.set(target, key, value),
  });
  // While it opens, one part of xterm uses the page's document whatever it is given.
  document.createElement = create;
  try {
    terminal.open(place);
  } finally {
    Reflect.deleteProperty(document, "createElement");
  }
  styleByProperty(terminal);
}

/** Replaces the style element: what is written into it becomes the text of a sheet. */
function createSheet(root: ShadowRoot): HTMLElement {
  const sheet = new CSSStyleSheet();
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
  const element = Document.prototype.createElement.call(document, "span");
  element.hidden = true;
  Object.defineProperty(element, "textContent", {
    get: () => "",
    set(text: string) {
      sheet.replaceSync(text);
    },
  });
  return element;
}

interface Inside {
  readonly _core?: {
    readonly _renderService?: {
      readonly _renderer?: {
        readonly value?: { readonly _rowFactory?: { _addStyle?: (...given: never[]) => void } };
      };
    };
  };
}

/** xterm sets true colours by style attributes and has no public way around that. Without this they are lost. */
function styleByProperty(terminal: Terminal): void {
  const rows = (terminal as unknown as Inside)._core?._renderService?._renderer?.value?._rowFactory;
  if (!rows?._addStyle) return;
  rows._addStyle = (element: HTMLElement, style: string) => {
    element.style.cssText += style;
  };
}
