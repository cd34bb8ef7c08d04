import { FitAddon } from "@xterm/addon-fit";
import { Terminal } from "@xterm/xterm";
import css from "@xterm/xterm/css/xterm.css?inline";
import { useEffect, useRef } from "react";
import { useTexts } from "../../i18n/language.tsx";
import { openWithStyles } from "./terminal-styles.ts";
import type { RemoteTerminal } from "./use-terminals.ts";

interface Size {
  readonly cols: number;
  readonly rows: number;
}

/** The screen of a terminal, which also takes the input. */
export function TerminalScreen({ remote, onEnd }: { remote: RemoteTerminal; onEnd(): void }) {
  const { terminalScreen: label } = useTexts();
  const host = useRef<HTMLDivElement>(null);
  const ended = useRef(onEnd);
  ended.current = onEnd;
  useEffect(() => {
    const element = host.current;
    if (!element) return undefined;
    const root = element.shadowRoot ?? element.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [sheetOf(css), sheetOf(HOST_STYLE)];
    const place = document.createElement("div");
    root.replaceChildren(place);
    const end = new AbortController();
    const terminal = new Terminal({
      cursorBlink: true,
      fontSize: 13,
      fontFamily,
      screenReaderMode: true,
      theme,
    });
    const fit = new FitAddon();
    terminal.loadAddon(fit);
    openWithStyles(terminal, place, root);
    terminal.textarea?.setAttribute("aria-label", label);
    takeDictation(terminal);
    // Tab goes to the shell; Shift+Tab leaves the terminal.
    terminal.attachCustomKeyEventHandler(({ key, shiftKey }) => !(key === "Tab" && shiftKey));
    const typing = terminal.onData((data) => void remote.write(data).catch(() => {}));
    const tellSize = sizeTeller(remote);
    const watcher = new ResizeObserver(() => {
      fit.fit();
      tellSize({ cols: terminal.cols, rows: terminal.rows });
    });
    watcher.observe(element);
    void follow(remote, terminal, end.signal).then(() => {
      if (end.signal.aborted) return;
      // An ended terminal takes neither input nor a size.
      typing.dispose();
      watcher.disconnect();
      ended.current();
    });
    terminal.focus();
    return () => {
      end.abort();
      watcher.disconnect();
      terminal.dispose();
    };
  }, [remote, label]);
  return <div ref={host} className="terminal-screen" />;
}

async function follow(remote: RemoteTerminal, terminal: Terminal, signal: AbortSignal): Promise<void> {
  try {
    for await (const event of remote.output({ signal })) {
      // Draws a chunk before asking for the next, which slows down programs that write faster.
      if (event.type === "output") await new Promise<void>((done) => terminal.write(event.bytes, done));
    }
  } catch {
    // The terminal is gone with its sandbox.
  }
}

/** Sends one size at a time, and of those that wait only the last. */
function sizeTeller(remote: RemoteTerminal): (size: Size) => void {
  let told: Size | undefined;
  let wanted: Size | undefined;
  let isTelling = false;
  const tell = async (): Promise<void> => {
    if (!wanted || (wanted.cols === told?.cols && wanted.rows === told?.rows)) return;
    told = wanted;
    await remote.resize(told).catch(() => {});
    return tell();
  };
  return (size) => {
    wanted = size;
    if (isTelling) return;
    isTelling = true;
    void tell().finally(() => (isTelling = false));
  };
}

function sheetOf(text: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  return sheet;
}

const HOST_STYLE = `:host { display: block; }
:host > div, div:has(> .xterm) { height: 100%; }
.xterm { box-sizing: border-box; height: 100%; padding: 6px; }
.xterm .xterm-viewport, .xterm .xterm-scrollable-element { background-color: #101315 !important; }`;

const fontFamily = 'ui-monospace, "SF Mono", Menlo, Consolas, "Noto Sans Mono CJK SC", monospace';
const theme = {
  background: "#101315",
  foreground: "#e6ecec",
  cursor: "#3fd0bf",
  selectionBackground: "#1d5a52",
};

/**
 * Text that no key typed: from an emoji panel, dictation or some input methods. xterm ignores it in its mode for screen
 * readers, where each key has its own event as well.
 */
function takeDictation(terminal: Terminal): void {
  const field = terminal.textarea;
  let isKeyDown = false;
  field?.addEventListener("keydown", () => (isKeyDown = true), true);
  field?.addEventListener("keyup", () => (isKeyDown = false), true);
  field?.addEventListener("blur", () => (isKeyDown = false));
  field?.addEventListener("input", (event) => {
    const { inputType, data, isComposing } = event as InputEvent;
    if (inputType !== "insertText" || !data || isComposing || isKeyDown) return;
    field.value = "";
    terminal.input(data);
  });
}
