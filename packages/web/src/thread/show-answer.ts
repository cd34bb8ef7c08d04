const NAME = "atoll-show-answer";

/** Leads the reader to an answer of the conversation beside. */
export function showAnswer(messageId: string): void {
  dispatchEvent(new CustomEvent(NAME, { detail: messageId }));
}

export function onShowAnswer(listener: (messageId: string) => void): () => void {
  const hear = (event: Event) => listener(String((event as CustomEvent).detail));
  addEventListener(NAME, hear);
  return () => removeEventListener(NAME, hear);
}
