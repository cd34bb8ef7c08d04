const NAME = "atoll-show-answer";

/** Scrolls to an answer in the conversation. */
export function showAnswer(messageId: string): void {
  dispatchEvent(new CustomEvent(NAME, { detail: messageId }));
}

export function onShowAnswer(listener: (messageId: string) => void): () => void {
  const hear = (event: Event) => listener(String((event as CustomEvent).detail));
  addEventListener(NAME, hear);
  return () => removeEventListener(NAME, hear);
}
