import { createHash } from "node:crypto";
import { once } from "node:events";
import { buffer, text } from "node:stream/consumers";
import { beforeAll, expect, it } from "vitest";
import type { Sandbox } from "../../contract/sandbox.ts";
import { evaluate, runOk } from "../run-code.ts";
import { type Ability, describeAbility, expectRefusals, refusal, type Suite } from "../suite.ts";

export function describePorts(suite: Suite): void {
  const ability: Ability = {
    title: "ports",
    isPresent: suite.driver.capabilities.ports,
    calls: ({ ports }: Sandbox) => [ports.list(), ports.connect(8000), ports.url(8000)],
  };
  describeAbility(suite, ability, () => {
    const sandbox = suite.share();
    const ports = () => sandbox().ports;

    let http = 0;
    let echo = 0;
    beforeAll(async () => {
      await sandbox().files.write("hello.txt", "hello from inside");
      await runOk(sandbox(), servers);
      const addresses = await evaluate(sandbox(), "(web.server_port, echo.server_address[1])");
      [http = 0, echo = 0] = addresses?.match(/\d+/g)?.map(Number) ?? [];
    });

    it("are listed while something listens", async () => {
      expect(await ports().list()).toEqual(expect.arrayContaining([http, echo]));
    });

    it("have an address on this host", async () => {
      const url = await ports().url(http);
      expect(new URL(url).hostname).toMatch(/^(127\.0\.0\.1|localhost|\[::1\])$/);
      expect(await (await fetch(new URL("hello.txt", url))).text()).toBe("hello from inside");
      expect((await fetch(new URL("missing", url))).status).toBe(404);
    });

    it("have one address for as long as the handle is open", async () => {
      expect(await ports().url(http)).toBe(await ports().url(http));
    });

    it("serve many requests at once", async () => {
      const url = new URL("hello.txt", await ports().url(http));
      const texts = await Promise.all(Array.from({ length: 20 }, async () => (await fetch(url)).text()));
      expect(new Set(texts)).toEqual(new Set(["hello from inside"]));
    });

    it("carry large bodies unchanged", async () => {
      const code =
        "import hashlib, os\nbody = os.urandom(8 << 20)\nopen('large', 'wb').write(body)\nhashlib.sha256(body).hexdigest()";
      const hash = await evaluate(sandbox(), code);
      const body = await (await fetch(new URL("large", await ports().url(http)))).arrayBuffer();
      expect(`'${createHash("sha256").update(Buffer.from(body)).digest("hex")}'`).toBe(hash);
    });

    it("take a connection that goes both ways", async () => {
      const connection = await ports().connect(echo);
      connection.write("ping");
      expect(String((await once(connection, "data"))[0])).toBe("PING");
      connection.end("last");
      expect(await text(connection)).toBe("LAST");
    });

    it("carry what the other side says first, whatever bytes these are", async () => {
      const code = `
import socket, threading
greeter = socket.create_server(("127.0.0.1", 0), backlog=64)
def greet():
    while True:
        client, _ = greeter.accept()
        client.sendall(b"\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff")
        client.close()
threading.Thread(target=greet, daemon=True).start()
greeter.getsockname()[1]`;
      const port = Number(await evaluate(sandbox(), code));
      const greetings = Array.from({ length: 30 }, async () => buffer(await ports().connect(port)));
      for (const greeting of await Promise.all(greetings)) expect(greeting).toEqual(Buffer.alloc(8, 0xff));
    });

    it("end a connection that this side gives up", async () => {
      const connection = await ports().connect(echo);
      connection.destroy();
      expect(await ports().list()).toContain(echo);
    });

    it("that nothing listens on refuse a connection", async () => {
      const closed = Number(
        await evaluate(
          sandbox(),
          "import socket\nwith socket.create_server(('127.0.0.1', 0)) as s: port = s.getsockname()[1]\nport",
        ),
      );
      await expect(ports().connect(closed)).rejects.toMatchObject(refusal("not_found"));
      expect(await ports().list()).not.toContain(closed);
    });

    it("refuse a number that is no port", async () => {
      for (const port of [0, -1, 65_536, 1.5, Number.NaN]) {
        await expectRefusals("invalid_argument", [ports().connect(port), ports().url(port)]);
      }
    });
  });
}

/** A web server and one that answers in capitals, each on a free port of the sandbox's loopback. */
const servers = `
import functools, http.server, os, socketserver, threading

socketserver.TCPServer.request_queue_size = 128

class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *args): pass

class Shout(socketserver.BaseRequestHandler):
    def handle(self):
        while data := self.request.recv(65536):
            self.request.sendall(data.upper())

web = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=os.getcwd()))
echo = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Shout)
for server in (web, echo):
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
`;
