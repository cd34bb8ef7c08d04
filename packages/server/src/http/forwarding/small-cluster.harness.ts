import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { HttpConfig } from "../http-config.ts";
import { makeTestServer, type TestServer } from "../test-server.harness.ts";
import type { AtEnd } from "../../store/temporary-store.harness.ts";
import { Forwarder } from "./forwarder.ts";
import { answerHeader, forwardedHeader, Signatures, type Verified } from "./signature.ts";
import { type Member, makeMember } from "../../cluster/member.harness.ts";

/** Who dies is noticed soon; who is only slow, as on a busy machine, is not taken for dead. */
const times = { ttlMs: 60_000, beatMs: 50 };

/** Servers in this process that know of each other through a real Redis. */
export class SmallCluster {
  readonly secret = randomBytes(32);
  readonly #redisUrl: string;
  readonly #atEnd: AtEnd;

  constructor(redisUrl: string, atEnd: AtEnd) {
    this.#redisUrl = redisUrl;
    this.#atEnd = atEnd;
  }

  /** A server with the whole HTTP surface that is asked for what another one has. */
  async makeFront(
    config: Partial<HttpConfig> = {},
    { patienceMs = 10_000 } = {},
  ): Promise<TestServer & { member: Member; url: string }> {
    const { secret } = this;
    const member = await makeMember(this.#redisUrl, { times, secret });
    this.#atEnd(async () => member.die());
    const { directory, self } = member;
    const signatures = new Signatures({ secret, self: () => self });
    const forwarder = new Forwarder({
      directory,
      self: () => self,
      signatures,
      patienceMs,
      idleMs: 30_000,
    });
    const server = await makeTestServer(this.#atEnd, {
      config: { signingKey: secret, ...config },
      app: { forwarding: { directory, forwarder, signatures } },
    });
    const { url } = await server.listen();
    self.url = url;
    await member.membership.beat();
    return { ...server, member, url };
  }

  /** A small app in the place of the server that has a thread. It proves itself, but for what `isImpostor`. */
  async makeOwner(
    answer: (request: IncomingMessage, response: ServerResponse, forwarded: Verified | undefined) => void,
    { isImpostor = false } = {},
  ): Promise<{ threadId: string; member: Member; die(): Promise<void> }> {
    const { secret } = this;
    const member = await makeMember(this.#redisUrl, { times, secret });
    const signatures = new Signatures({ secret, self: () => member.self });
    const app = createServer((request, response) => {
      const { method = "", url: target = "", headers } = request;
      const seen = { method, target, host: headers.host ?? "" };
      const given = String(headers[forwardedHeader]);
      const forwarded = signatures.verify(given, seen, ["request", "resumption"]);
      if (forwarded && !isImpostor) response.setHeader(answerHeader, forwarded.answerProof);
      answer(request, response, forwarded);
    }).listen(0, "127.0.0.1");
    await once(app, "listening");
    member.self.url = `http://127.0.0.1:${(app.address() as AddressInfo).port}`;
    await member.membership.beat();
    const threadId = randomBytes(6).toString("hex");
    await member.leases.acquire(`thread:${threadId}`);
    const die = async () => {
      app.closeAllConnections();
      app.close();
      await member.expire().catch(() => {});
    };
    this.#atEnd(die);
    return { threadId, member, die };
  }
}
