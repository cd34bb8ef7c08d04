import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { HttpConfig } from "../../http/http-config.ts";
import { makeTestServer, type TestServer } from "../../http/testing/test-server.ts";
import type { AtEnd } from "../../store/testing/temporary-store.ts";
import { Forwarder } from "../forwarding/forwarder.ts";
import { type Member, makeMember } from "./member.ts";

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
  async makeFront(config: Partial<HttpConfig> = {}): Promise<TestServer & { member: Member; url: string }> {
    const member = await makeMember(this.#redisUrl, { times });
    this.#atEnd(async () => member.die());
    const { directory, self } = member;
    const { secret } = this;
    const forwarder = new Forwarder({
      directory,
      self: () => self,
      secret,
      patienceMs: 10_000,
      idleMs: 30_000,
    });
    const server = await makeTestServer(this.#atEnd, {
      config: { signingKey: secret, ...config },
      app: { cluster: { directory, forwarder } },
    });
    const { url } = await server.listen();
    self.url = url;
    await member.membership.beat();
    return { ...server, member, url };
  }

  /** A small app in the place of the server that has a thread. */
  async makeOwner(
    answer: (request: IncomingMessage, response: ServerResponse) => void,
  ): Promise<{ threadId: string; member: Member; die(): Promise<void> }> {
    const app = createServer(answer).listen(0, "127.0.0.1");
    await once(app, "listening");
    const member = await makeMember(this.#redisUrl, { times });
    member.self.url = `http://127.0.0.1:${(app.address() as AddressInfo).port}`;
    await member.membership.beat();
    const threadId = randomBytes(6).toString("hex");
    await member.holdings.hold(`thread:${threadId}`);
    const die = async () => {
      app.closeAllConnections();
      app.close();
      await member.expire().catch(() => {});
    };
    this.#atEnd(die);
    return { threadId, member, die };
  }
}
