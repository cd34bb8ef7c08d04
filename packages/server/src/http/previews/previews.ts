import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { AtollError } from "@atoll/sandbox";
import type { PreviewForwarding } from "../forwarding/preview-forwarding.ts";
import { isEqual } from "../../constant-time.ts";
import { type PreviewAddress, readPreviewAddress } from "./address.ts";
import type { PreviewChecks } from "./checks.ts";
import { isPassValid } from "./preview-token.ts";
import { passOn, passOnUpgrade } from "./proxy.ts";
import { answerFailure, answerFailureRaw, PreviewFailure } from "./failure.ts";

export interface PreviewsOptions {
  /** A stream to a port inside; wakes the sandbox. */
  connect(sandboxId: string, port: number): Promise<Duplex>;
  /** Absent: whoever reaches the server sees every preview whose address they know. */
  readonly signingKey?: Uint8Array;
  /** The server's own, which opens every preview and goes no further. */
  readonly token?: string;
  /** Absent: nothing but the pass is checked. */
  readonly checks?: PreviewChecks;
  /** With several servers: the way to the one that has the sandbox. */
  readonly forwarding?: Pick<PreviewForwarding, "recognise" | "findServer" | "serve" | "upgrade"> | undefined;
}

const passName = "atoll_preview";

/** What programs in sandboxes serve, shown to browsers: HTTP and WebSockets, away from the server's own origin. */
export class Previews {
  readonly #options: PreviewsOptions;

  constructor(options: PreviewsOptions) {
    this.#options = options;
  }

  /** Any other request that asks for an upgrade is answered as if it did not. */
  takesUpgrade({ method, headers, url = "/" }: IncomingMessage): boolean {
    const isWebSocket = method === "GET" && headers.upgrade?.toLowerCase() === "websocket";
    return isWebSocket && readPreviewAddress(headers.host, url) !== undefined;
  }

  /** False: the request is for the server itself. */
  handle(request: IncomingMessage, response: ServerResponse): boolean {
    const address = readPreviewAddress(request.headers.host, request.url ?? "/");
    if (!address) return false;
    response.on("error", () => {});
    void this.#serve(address, request, response).catch((error: unknown) =>
      answerFailure(request, response, error),
    );
    return true;
  }

  handleUpgrade(request: IncomingMessage, stream: Duplex, head: Buffer): boolean {
    const address = readPreviewAddress(request.headers.host, request.url ?? "/");
    if (!address) return false;
    stream.on("error", () => {});
    void this.#upgrade(address, request, stream, head).catch((error: unknown) =>
      answerFailureRaw(stream, error),
    );
    return true;
  }

  async #serve(address: PreviewAddress, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { forwarding, checks } = this.#options;
    const forwarded = forwarding?.recognise(request, "preview");
    if (!forwarded?.isAuthenticated) {
      checks?.check(address, request);
      const pass = this.#findNewPass(address, request);
      if (pass) return void exchangePass(address, request, response, pass);
      this.#demandPass(address, request);
    }
    const way = forwarded ? undefined : await this.#findWay(address, request);
    if (forwarding && way) return forwarding.serve(way, request, response);
    await passOn(address, request, response, () => this.#connect(address));
  }

  async #upgrade(
    address: PreviewAddress,
    request: IncomingMessage,
    stream: Duplex,
    head: Buffer,
  ): Promise<void> {
    const { forwarding, checks } = this.#options;
    const forwarded = forwarding?.recognise(request, "upgrade");
    if (!forwarded?.isAuthenticated) {
      checks?.check(address, request);
      this.#demandPass(address, request);
    }
    const way = forwarded ? undefined : await this.#findWay(address, request);
    if (forwarding && way) return forwarding.upgrade(way, request, stream, head);
    await passOnUpgrade(address, request, { stream, head, connect: () => this.#connect(address) });
  }

  /** To another server, for a request that has been checked here; undefined: it is answered here. */
  async #findWay(address: PreviewAddress, request: IncomingMessage) {
    const { forwarding, signingKey, checks } = this.#options;
    try {
      const server = await forwarding?.findServer(address.sandboxId);
      const client = checks?.clientOf(request) ?? "";
      return server && { server, address, client, isAuthenticated: signingKey !== undefined };
    } catch (error) {
      if (!(error instanceof AtollError)) throw error;
      throw new PreviewFailure(503, error.message, "Try again in a moment.");
    }
  }

  async #connect({ sandboxId, port }: PreviewAddress): Promise<Duplex> {
    try {
      return await this.#options.connect(sandboxId, port);
    } catch (error) {
      if (!(error instanceof AtollError)) throw error;
      const isClosed = error.code === "not_found" && /listens/.test(error.message);
      if (isClosed)
        throw new PreviewFailure(
          502,
          `Nothing listens on port ${port} of this sandbox.`,
          "Start the program, then reload.",
          { code: "nothing_listens" },
        );
      if (error.code === "not_found")
        throw new PreviewFailure(404, "There is no such sandbox.", "Open the preview again from its thread.");
      throw new PreviewFailure(
        503,
        `The sandbox cannot be reached: ${error.message}`,
        "Try again in a moment.",
      );
    }
  }

  #findNewPass({ sandboxId, port, target }: PreviewAddress, request: IncomingMessage): string | undefined {
    const { signingKey } = this.#options;
    if (!signingKey || request.method !== "GET") return undefined;
    const pass = URL.parse(target, "http://preview")?.searchParams.get(passName);
    return pass && isPassValid(pass, { sandboxId, port }, signingKey) ? pass : undefined;
  }

  #demandPass({ sandboxId, port, target }: PreviewAddress, request: IncomingMessage): void {
    const { signingKey, token, checks } = this.#options;
    const [, given = ""] = /^bearer (.+)$/i.exec(request.headers.authorization ?? "") ?? [];
    if (token !== undefined && isEqual(given, token)) return void delete request.headers.authorization;
    if (!signingKey) return;
    const pass = readCookie(request, passName);
    if (pass && isPassValid(pass, { sandboxId, port }, signingKey)) return;
    if (given !== "" || pass !== undefined || target.includes(passName)) checks?.countGuess(request);
    throw new PreviewFailure(
      401,
      "This preview needs a link that has not expired.",
      "Open it again from its thread.",
    );
  }
}

/** From the address, where it would be passed on, into a cookie of this preview alone. */
function exchangePass(
  { form, target, sandboxId, port }: PreviewAddress,
  request: IncomingMessage,
  response: ServerResponse,
  pass: string,
): void {
  const prefix = form === "path" ? `/preview/${sandboxId}/${port}` : "";
  const url = new URL(target, "http://preview");
  url.searchParams.delete(passName);
  const isSecure = request.headers["x-forwarded-proto"] === "https";
  const cookie = `${passName}=${pass}; Path=${prefix || "/"}; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;
  response.writeHead(302, { location: prefix + url.pathname + url.search, "set-cookie": cookie }).end();
}

function readCookie(request: IncomingMessage, name: string): string | undefined {
  const pairs = (request.headers.cookie ?? "").split(";").map((pair) => pair.trim().split("=", 2));
  return pairs.find(([key]) => key === name)?.[1];
}
