import { json } from "@codemirror/lang-json";
import { markdown } from "@codemirror/lang-markdown";
import { python } from "@codemirror/lang-python";
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { tags } from "@lezer/highlight";
import { EditorView, basicSetup } from "codemirror";
import { useEffect, useRef } from "react";

interface EditorProps {
  readonly text: string;
  /** Its extension selects the language. */
  readonly path: string;
  readonly isReadOnly?: boolean;
  /** Defaults to the path. */
  readonly label?: string;
  onChange?(text: string): void;
  /** Ctrl+Enter, or Cmd+Enter. */
  onRun?(text: string): void;
}

/** Lives in a shadow root, where CodeMirror uses adopted style sheets: the page's policy allows no style elements. */
export function Editor({ text, path, isReadOnly = false, label = path, onChange, onRun }: EditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const changed = useRef(onChange);
  changed.current = onChange;
  const run = useRef(onRun);
  run.current = onRun;
  useEffect(() => {
    const element = host.current;
    if (!element) return undefined;
    const root = element.shadowRoot ?? element.attachShadow({ mode: "open" });
    const view = new EditorView({
      doc: text,
      parent: root,
      root,
      extensions: [
        // Ahead of the editor's own key bindings.
        EditorView.domEventHandlers({
          keydown(event, { state }) {
            if (!isRunKey(event) || !run.current) return false;
            // Includes input that `onChange` has not reported yet.
            run.current(state.doc.toString());
            return true;
          },
          beforeinput: replaceSelected,
        }),
        basicSetup,
        editorColours,
        languageOf(path),
        look,
        EditorView.lineWrapping,
        EditorView.editable.of(!isReadOnly),
        EditorView.contentAttributes.of({ "aria-label": label }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) changed.current?.(update.state.doc.toString());
        }),
      ],
    });
    return () => view.destroy();
  }, [text, path, isReadOnly, label]);
  return <div ref={host} className="editor" />;
}

/** Chromium would style new text like the text it replaces, with an inline style that the page's policy refuses. */
function replaceSelected({ inputType, data }: InputEvent, view: EditorView): boolean {
  const { readOnly, selection } = view.state;
  if (inputType !== "insertText" || !data || view.composing || readOnly) return false;
  if (selection.ranges.length > 1) return false;
  const [from, to] = findReplaced(view);
  if (from === to) return false;
  const insert = () =>
    view.state.update({
      changes: { from, to, insert: data },
      selection: { anchor: from + data.length },
      scrollIntoView: true,
      userEvent: "input.type",
    });
  const isHandled = view.state
    .facet(EditorView.inputHandler)
    .some((handle) => handle(view, from, to, data, insert));
  if (!isHandled) view.dispatch(insert());
  return true;
}

/** The selection in the DOM, which the editor may not have synced yet. */
function findReplaced(view: EditorView): [from: number, to: number] {
  const { root, contentDOM, state } = view;
  // Only Chromium has it on shadow roots, and only Chromium needs this.
  const selection = (root as Partial<Pick<Document, "getSelection">>).getSelection?.();
  const range = selection && selection.rangeCount > 0 ? selection.getRangeAt(0) : undefined;
  const { from, to } = state.selection.main;
  if (!range || !contentDOM.contains(range.startContainer) || !contentDOM.contains(range.endContainer))
    return [from, to];
  return [
    view.posAtDOM(range.startContainer, range.startOffset),
    view.posAtDOM(range.endContainer, range.endOffset),
  ];
}

function isRunKey({ key, ctrlKey, metaKey }: KeyboardEvent): boolean {
  return key === "Enter" && (ctrlKey || metaKey);
}

const look = EditorView.theme({
  "&": { color: "var(--text)", backgroundColor: "var(--ground)", fontSize: "13px", maxHeight: "60vh" },
  ".cm-content": { fontFamily: "var(--mono)", caretColor: "var(--accent)" },
  ".cm-gutters": { backgroundColor: "var(--sunken)", color: "var(--quiet)", border: "0" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "transparent" },
  "&.cm-focused": { outline: "none" },
  ".cm-cursor": { borderLeftColor: "var(--accent)" },
});

function languageOf(path: string) {
  if (path.endsWith(".py")) return python();
  if (path.endsWith(".json") || path.endsWith(".ipynb")) return json();
  return path.endsWith(".md") ? markdown() : [];
}

/** Readable in both themes; the editor's own colours are made for white. */
const editorColours = syntaxHighlighting(
  HighlightStyle.define([
    { tag: tags.comment, color: "var(--quiet)", fontStyle: "italic" },
    { tag: [tags.keyword, tags.operatorKeyword, tags.modifier], color: "light-dark(#8a2be2, #c99bff)" },
    { tag: [tags.string, tags.special(tags.string)], color: "light-dark(#2f6f3a, #8fd39b)" },
    { tag: [tags.number, tags.bool, tags.null], color: "light-dark(#a2521b, #f0ac77)" },
    {
      tag: [tags.function(tags.variableName), tags.definition(tags.variableName)],
      color: "light-dark(#1d5fae, #7cb7ff)",
    },
    { tag: [tags.propertyName, tags.className, tags.tagName], color: "var(--accent)" },
    { tag: tags.heading, fontWeight: "650" },
    { tag: tags.emphasis, fontStyle: "italic" },
    { tag: tags.strong, fontWeight: "650" },
    { tag: tags.link, textDecoration: "underline" },
    { tag: tags.invalid, color: "var(--bad)" },
  ]),
);
