/** Works over plain HTTP from another machine too, where browsers offer no clipboard API. */
export async function copyText(text: string): Promise<void> {
  if (isSecureContext) return navigator.clipboard.writeText(text);
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "visually-hidden";
  const before = document.activeElement;
  (document.querySelector("dialog[open]") ?? document.body).append(field);
  field.select();
  // oxlint-disable-next-line no-deprecated -- there is no other way there
  document.execCommand("copy");
  field.remove();
  if (before instanceof HTMLElement) before.focus();
}
