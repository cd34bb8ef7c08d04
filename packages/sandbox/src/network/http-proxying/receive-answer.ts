import type { ClientRequest, IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { ProxyingError } from "./proxying-error.ts";

/** What the other side says to a request for an upgrade: it switches, or answers as to any other request. */
export type UpgradeAnswer =
  | { readonly answer: IncomingMessage; readonly stream: Duplex; readonly head: Buffer }
  | { readonly answer: IncomingMessage; readonly stream?: undefined };

const maxInterimAnswers = 32;

/**
 * The head of the answer to a request. Rejects when none comes, also when the other side switches protocols without
 * being asked. What goes wrong with the request later ends the answer's body, and throws nowhere.
 */
export async function receiveAnswer(outgoing: ClientRequest): Promise<IncomingMessage> {
  return (await receive(outgoing, () => false)).answer;
}

/** The same for a request that asks for a switch to this protocol. Resolves before any byte of it flows. */
export function receiveUpgrade(outgoing: ClientRequest, protocol: string): Promise<UpgradeAnswer> {
  return receive(outgoing, ({ headers }) => headers.upgrade?.toLowerCase() === protocol.toLowerCase());
}

function receive(
  outgoing: ClientRequest,
  isWanted: (switched: IncomingMessage) => boolean,
): Promise<UpgradeAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<UpgradeAnswer>();
  const refuse = (reason: string) => {
    reject(new ProxyingError(502, reason));
    outgoing.destroy();
  };
  let interimAnswers = 0;
  outgoing.on("error", reject);
  outgoing.once("close", () => reject(new Error("the connection ended before an answer came")));
  // Of a switch of protocols only one that names what it switches to comes as an upgrade.
  outgoing.once("response", (answer) => {
    if (answer.statusCode === 101) refuse("the other side switches protocols without naming one");
    else resolve({ answer });
  });
  outgoing.once("upgrade", (answer, stream: Duplex, head) => {
    stream.on("error", () => {});
    if (isWanted(answer)) return resolve({ answer, stream, head });
    stream.destroy();
    refuse("the other side switches to a protocol that was not asked for");
  });
  outgoing.on("information", () => {
    interimAnswers += 1;
    if (interimAnswers > maxInterimAnswers) refuse("no final answer comes");
  });
  return promise;
}
