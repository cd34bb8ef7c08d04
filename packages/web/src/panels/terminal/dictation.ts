import type { Terminal } from "@xterm/xterm";

/**
 * Words that no key wrote: of an emoji panel, of dictation, of some input methods. xterm passes them over in its mode
 * for screen readers, where each key's own event comes by as well.
 */
export function takeDictation(terminal: Terminal): void {
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
