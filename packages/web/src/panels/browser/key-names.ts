type Keys = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">;

/** Keys that type text are left to the field, and so is Tab, which leaves it. */
export function nameKey({ key, ctrlKey, metaKey, altKey, shiftKey }: Keys): string | undefined {
  if (["Tab", "Control", "Shift", "Alt", "Meta", "Dead", "Process", "Unidentified"].includes(key))
    return undefined;
  const isText = [...key].length === 1;
  if (isText && !ctrlKey && !metaKey) return undefined;
  // A paste reaches the field as text.
  if (isText && key.toLowerCase() === "v") return undefined;
  const modifiers = [
    ctrlKey || metaKey ? "Control" : "",
    altKey ? "Alt" : "",
    shiftKey && !isText ? "Shift" : "",
  ].filter((modifier) => modifier !== "");
  return [...modifiers, key].join("+");
}
