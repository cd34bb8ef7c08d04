import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { type IncomingMessage, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { missingChromium, openChromium } from "../support/chromium.ts";
import { describeIf } from "../support/requirements.ts";
import { ServerProcess } from "../support/server-process.ts";

interface Preview {
  readonly port: number;
  readonly path: string;
  readonly url?: string;
}

/** A page with a script that tries what it can, an event stream and a WebSocket, all in the standard library. */
const program = `
import base64, hashlib, http.server, threading
class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *args): pass
    def do_GET(self):
        if self.headers.get("Upgrade"):
            accept = base64.b64encode(hashlib.sha1((self.headers["Sec-WebSocket-Key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest()).decode()
            self.wfile.write(f"HTTP/1.1 101 Switching Protocols\\r\\nUpgrade: websocket\\r\\nConnection: Upgrade\\r\\nSec-WebSocket-Accept: {accept}\\r\\n\\r\\n".encode())
            self.wfile.write(bytes([0x81, 5]) + b"hello")
            self.wfile.flush()
            self.rfile.read(1)
            return
        page = b"""<!doctype html><title>inside</title><script>
          const told = {};
          const tell = () => { document.title = JSON.stringify(told); };
          told.origin = self.origin;
          fetch(API + "/threads").then((r) => { told.api = r.status; }, () => { told.api = "refused"; }).then(tell);
          const socket = new WebSocket(location.href.replace(/^http/, "ws").replace("page", "socket"));
          socket.onmessage = (event) => { told.socket = event.data; tell(); };
        </script>""".replace(b"API", b'"' + self.headers.get("X-Api", "http://127.0.0.1:PORT").encode() + b'"')
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.end_headers()
        self.wfile.write(page)
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_port)
`;

describeIf(
  { suite: "what a program in a sandbox serves", missing: missingChromium, isRequired: true },
  () => {
    let dataDir = "";
    let server: ServerProcess;
    let threadId = "";
    beforeAll(async () => {
      dataDir = await mkdtemp(join(tmpdir(), "atoll-previews-"));
      server = await ServerProcess.start({ dataDir, env: {} });
      threadId = (await post<{ thread_id: string }>("/thread/new", {})).thread_id;
    });
    afterAll(async () => {
      await server?.stop();
      await rm(dataDir, { recursive: true, force: true, maxRetries: 10 });
    });

    async function post<Answer>(path: string, body: unknown): Promise<Answer> {
      const response = await fetch(server.url + path, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      return (await response.json()) as Answer;
    }
    const get = async (path: string, headers: Record<string, string> = {}) => {
      const { port } = new URL(server.url);
      const [response] = (await once(request({ port, path, headers, agent: false }).end(), "response")) as [
        IncomingMessage,
      ];
      return { status: response.statusCode, text: (await buffer(response)).toString() };
    };

    it("is listed with its addresses and shown in a browser, away from the server's own origin", async () => {
      const { sandbox_id } = await post<{ sandbox_id: string }>("/sandboxes", {});
      const code = program.replace("PORT", new URL(server.url).port);
      const run = await post<{ stdout: string }>(`/sandboxes/${sandbox_id}/python`, { code });
      const port = Number(run.stdout);
      const { previews } = (await (await fetch(`${server.url}/sandboxes/${sandbox_id}/ports`)).json()) as {
        previews: Preview[];
      };
      const preview = previews.find((each) => each.port === port);
      expect(preview).toMatchObject({
        path: `/preview/${sandbox_id}/${port}/`,
        url: expect.stringMatching(/^http:\/\/\d+-[0-9a-f]{24}\.localhost:\d+\/$/),
      });

      await using browser = await openChromium();
      const page = await browser.newPage();
      const read = async (url: string) => {
        await page.goto(url);
        await page.waitForFunction(`/"api".*"socket"|"socket".*"api"/.test(document.title)`);
        return JSON.parse(await page.title()) as Record<string, unknown>;
      };
      const own = new URL(preview?.url ?? "");
      expect(await read(`${own.origin}/page`)).toEqual({
        origin: own.origin,
        api: "refused",
        socket: "hello",
      });
      expect(await read(`${server.url}${preview?.path}page`)).toEqual({
        origin: "null",
        api: "refused",
        socket: "hello",
      });
    });

    it("wakes a thread's sandbox that rests, and says that nothing listens there any more", async () => {
      await post(`/thread/${threadId}/suspend`, {});
      const host = `3000-${threadId}.localhost:${new URL(server.url).port}`;
      const answer = await get("/", { host });
      expect([answer.status, JSON.parse(answer.text)]).toEqual([
        502,
        expect.objectContaining({ code: "nothing_listens" }),
      ]);
      const status = (await (await fetch(`${server.url}/thread/${threadId}/status`)).json()) as {
        sandbox_status: string;
      };
      expect(status.sandbox_status).toBe("hot");
    });

    it("of nobody is not found", async () => {
      expect((await get(`/preview/${"0".repeat(24)}/80/`)).status).toBe(404);
    });
  },
);
