import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sampleHostileAnswers } from "../support/fuzz/hostile-answers.ts";
import { readResidentMb } from "../support/resident-memory.ts";
import { ServerProcess } from "../support/server-process.ts";

const seed = Number(process.env["ATOLL_FUZZ_SEED"] ?? Date.now() % 2 ** 31);
const counts = { previews: 6000, egress: 4000 };
/** A client that is not answered gives up; one in so many answers stays open. */
const patienceMs = 400;
const heldEvery = 40;
const maxGrowthMb = 400;
const timeout = 900_000;

/** Answers each request with the bytes that the request itself carries; the last `hold` says to stay open. */
const program = `
import base64, socket, threading
def answer(connection):
    try:
        head = b""
        while b"\\r\\n\\r\\n" not in head:
            part = connection.recv(65536)
            if not part: return
            head += part
        lines = dict(line.split(b": ", 1) for line in head.split(b"\\r\\n\\r\\n")[0].split(b"\\r\\n")[1:] if b": " in line)
        lines = {name.lower(): value for name, value in lines.items()}
        connection.sendall(base64.b64decode(lines.get(b"x-answer", b"")))
        if b"x-hold" in lines: connection.recv(1)
    except OSError: pass
    finally: connection.close()
def serve(server):
    while True:
        connection, _ = server.accept()
        threading.Thread(target=answer, args=(connection,), daemon=True).start()
server = socket.create_server(("127.0.0.1", 0), backlog=128)
threading.Thread(target=serve, args=(server,), daemon=True).start()
print(server.getsockname()[1])
`;

/** Asks the hostile host through the proxy, over and over, and says how often the proxy itself answered. */
const asker = `
import os, socket, threading, urllib.parse
proxy = urllib.parse.urlsplit(os.environ.get("http_proxy") or os.environ["HTTP_PROXY"])
heads = []
def ask(numbers):
    for number in numbers:
        head = b""
        try:
            with socket.create_connection((proxy.hostname, proxy.port), timeout=60) as connection:
                connection.sendall(f"GET http://hostile.test/{number} HTTP/1.1\\r\\nHost: hostile.test\\r\\nConnection: close\\r\\n\\r\\n".encode())
                connection.settimeout(PATIENCE if number % HELD_EVERY == 0 else 60)
                while part := connection.recv(65536): head = (head + part)[:12]
        except TimeoutError: pass
        except OSError: pass
        heads.append(head)
threads = [threading.Thread(target=ask, args=(range(start, END, 8),)) for start in range(START, START + 8)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(len(heads), sum(head.startswith(b"HTTP/1.1 ") for head in heads))
`;

describe(`answers that no proxy should believe (ATOLL_FUZZ_SEED=${seed})`, { timeout }, () => {
  const answers = sampleHostileAnswers(counts.previews + counts.egress, seed);
  let dataDir = "";
  let server: ServerProcess;
  let hostile: Server;
  let sandboxId = "";
  let insidePort = 0;
  let startMb = 0;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "atoll-answers-"));
    hostile = createServer((socket) => {
      socket.on("error", () => {});
      socket.once("data", (head: Buffer) => {
        const number = Number(/^GET \/(\d+)/.exec(head.toString("latin1"))?.[1]);
        socket.write(answers[counts.previews + number] ?? "", "latin1");
        if (number % heldEvery !== 0) socket.end();
      });
    });
    await new Promise<void>((resolve) => hostile.listen(0, "127.0.0.1", resolve));
    const { port } = hostile.address() as AddressInfo;
    const egress = {
      addresses: { "hostile.test": `http://127.0.0.1:${port}` },
      limits: { maxRequestsPerMinute: 1_000_000 },
    };
    const egressFile = join(dataDir, "egress.json");
    await writeFile(egressFile, JSON.stringify(egress), { mode: 0o600 });
    server = await ServerProcess.start({
      dataDir,
      env: { ATOLL_EGRESS_FILE: egressFile, ATOLL_NETWORK_MAX: "*.test" },
    });
    const made = await post<{ sandbox_id: string }>("/sandboxes", { network: { allow: ["hostile.test"] } });
    sandboxId = made.sandbox_id;
    insidePort = Number(await python(program));
    startMb = await readResidentMb(server.child.pid);
  });
  afterAll(async () => {
    hostile?.close();
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
  const python = async (code: string): Promise<string> => {
    const run = await post<{ stdout?: string }>(`/sandboxes/${sandboxId}/python`, {
      code,
      timeout_ms: 300_000,
    });
    if (!run.stdout) throw new Error(JSON.stringify(run));
    return run.stdout.trim();
  };

  /** Asks for a preview that is answered with these bytes; what came back, as far as it did. */
  function ask(answer: string, number: number): Promise<string> {
    const { port } = new URL(server.url);
    const isPath = number % 2 === 0;
    const lines = [
      `GET ${isPath ? `/preview/${sandboxId}/${insidePort}/` : "/"} HTTP/1.1`,
      `Host: ${isPath ? "localhost" : `${insidePort}-${sandboxId}.localhost:${port}`}`,
      `X-Answer: ${Buffer.from(answer, "latin1").toString("base64")}`,
      ...(number % heldEvery === 0 ? ["X-Hold: 1"] : []),
      ...(number % 6 < 2 ? ["Connection: Upgrade", "Upgrade: websocket"] : ["Connection: close"]),
    ];
    return new Promise((resolve) => {
      const socket = connect(Number(port), "127.0.0.1");
      let text = "";
      socket.setTimeout(number % heldEvery === 0 ? patienceMs : 30_000, () => socket.destroy());
      socket.setEncoding("latin1").on("data", (part: string) => (text = (text + part).slice(0, 100_000)));
      socket.on("error", () => {});
      socket.once("close", () => resolve(text));
      socket.write(`${lines.join("\r\n")}\r\n\r\n`);
    });
  }

  it("reach clients of previews as valid HTTP or not at all", async () => {
    let next = 0;
    const malformed: string[] = [];
    let wrote = 0;
    const work = async () => {
      while (next < counts.previews) {
        const number = next++;
        // What does not fit into the head that carries it is cut.
        const text = await ask((answers[number] ?? "").slice(0, 9000), number);
        if (text !== "") wrote += 1;
        if (text !== "" && !/^HTTP\/1\.1 (101|[2-5]\d\d) [\t\x20-\x7e]*\r\n/.test(text))
          malformed.push(`${number}: ${text}`);
      }
    };
    await Promise.all(Array.from({ length: 8 }, work));
    expect(malformed).toEqual([]);
    expect(wrote).toBeGreaterThan(counts.previews * 0.9);
  });

  it("reach programs in a sandbox as valid HTTP or not at all", async () => {
    for (let start = 0; start < counts.egress; start += 1000) {
      const code = asker
        .replace("PATIENCE", String(patienceMs / 1000))
        .replace("HELD_EVERY", String(heldEvery))
        .replace("END", String(start + 1000))
        .replaceAll("START", String(start));
      const [asked, answered] = (await python(code)).split(" ").map(Number);
      expect(asked).toBe(1000);
      expect(answered).toBeGreaterThan(900);
    }
  });

  it("leave a server that works, has met no defect and holds no more memory", async () => {
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    const honest = await ask("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", 2);
    expect(honest).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*\r\n\r\nhello$/);
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    expect(metrics).toContain("\natoll_defects_total 0\n");
    expect((await readResidentMb(server.child.pid)) - startMb).toBeLessThan(maxGrowthMb);
  });
});
