/** A request or an answer that no proxy may pass on. Its message is meant for the client. */
export class ProxyingError extends Error {
  override readonly name = "ProxyingError";
  /** What the client is answered. */
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}
