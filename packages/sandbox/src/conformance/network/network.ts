import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Traffic } from "../../contract/network.ts";
import type { CreateOptions, SandboxHandle } from "../../contract/sandbox.ts";
import { fetching, openSite, type Site } from "./network-site.ts";
import { evaluate, runOk } from "../run-code.ts";
import { describeInside, type Suite } from "../suite.ts";

/** A site on the host, which the operator has given a name: no address of the host itself is ever reachable. */
export function describeNetwork({ driver, create, dataDir }: Suite): void {
  const { network, shell, attach, pause } = driver.capabilities;

  describe.runIf(network.includes("allow"))("a network policy with hosts", () => {
    let site: Site;
    let sandbox: SandboxHandle;
    const traffic: Traffic[] = [];
    const options = (): CreateOptions => ({
      network: { allow: ["site.test", "*.below.test", "secret.test", "gone.test"] },
      egress: {
        addresses: { "site.test": site.url, "a.below.test": site.url, "secret.test": site.url },
        credentials: [{ host: "secret.test", value: "Bearer of-the-host" }],
        onTraffic: (entry) => void traffic.push(entry),
      },
    });
    beforeAll(async () => {
      site = await openSite();
      sandbox = await driver.create({ dataDir: dataDir(), ...options() });
    });
    afterAll(async () => {
      await sandbox?.destroy();
      await site?.close();
    });
    const get = (url: string, handle = sandbox) => evaluate(handle, fetching(url));

    it("lets programs reach those hosts", async () => {
      expect(await get("http://site.test/hello")).toBe("(200, b'hello')");
      expect(await get("http://a.below.test/hello")).toBe("(200, b'hello')");
      expect(sandbox.info.network).toEqual(options().network);
      expect(traffic).toContainEqual(
        expect.objectContaining({ host: "site.test", method: "GET", outcome: "allowed", receivedBytes: 5 }),
      );
    });

    it("refuses all others, and says why", async () => {
      for (const url of ["http://other.test/", "http://below.test/", site.url, "http://site.test:22/"])
        expect(await get(url)).toMatch(/^\(403,\s+b'atoll: the network policy of this sandbox/);
      expect(await get("http://gone.test/")).toMatch(/^\(502,\s+b'atoll: there is no host gone\.test/);
    });

    it("gives no other way out: no name is resolved, no address is reachable", async () => {
      const { port } = new URL(site.url);
      const code = `
import json, socket
found = {}
for name, action in {
    "name": lambda: socket.getaddrinfo("site.test", 80),
    "address": lambda: socket.create_connection(("127.0.0.1", ${port}), 2),
    "public": lambda: socket.create_connection(("192.0.2.1", 80), 2),
    "dns": lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("192.0.2.53", 53)),
}.items():
    try:
        action()
        found[name] = "reached"
    except OSError as error:
        found[name] = "refused"
json.dumps(found)`;
      const found = JSON.parse(String(await evaluate(sandbox, code)).slice(1, -1)) as Record<string, string>;
      expect(new Set(Object.values(found))).toEqual(new Set(["refused"]));
    });

    it("does not list the proxy as a port of the sandbox", async () => {
      expect(await sandbox.ports.list()).not.toContain(3128);
    });

    it("carries large bodies both ways unchanged", async () => {
      const code = `
import hashlib, urllib.request
body = bytes(range(256)) * 32768
answer = urllib.request.urlopen(urllib.request.Request("http://site.test/echo", data=body)).read()
answer == body`;
      expect(await evaluate(sandbox, code)).toBe("True");
    });

    it("adds a host's credential outside: nothing inside ever holds it", async () => {
      expect(await get("http://secret.test/authorization")).toBe("(200, b'Bearer of-the-host')");
      expect(await get("http://site.test/authorization")).toBe("(200, b'')");
      const seen = await evaluate(sandbox, "import os; 'of-the-host' in str(dict(os.environ))");
      expect(seen).toBe("False");
    });

    it.runIf(shell)("lets pip install from a mirror", async () => {
      const result = await sandbox.commands.run(
        "pip install --index-url http://site.test/simple/ --trusted-host site.test atoll-probe 2>&1 && python3 -c 'import atoll_probe; print(atoll_probe.word)'",
        { timeoutMs: 60_000 },
      );
      expect(result.stdout).toMatch(/\ninstalled\n$/);
    });

    it.runIf(shell)("lets git clone, also where a credential is needed", async ({ skip }) => {
      skip((await sandbox.commands.run("git --version")).exitCode !== 0, "there is no git inside");
      for (const url of ["http://site.test/repository", "https://secret.test/repository"]) {
        const result = await sandbox.commands.run(
          `rm -rf copy && git clone -q ${url} copy && cat copy/file.txt`,
        );
        expect(`${result.stderr}${result.stdout}`).toBe("of the repository\n");
      }
    });

    it("says what it refused to whoever watches", () => {
      expect(traffic).toContainEqual(
        expect.objectContaining({ host: "other.test", outcome: "refused", reason: expect.any(String) }),
      );
    });

    it.runIf(attach)("is there for whoever joins, and gone with the last who left", async () => {
      const { id } = sandbox;
      const second = await driver.attach(id, { dataDir: dataDir(), egress: options().egress ?? {} });
      expect(await get("http://site.test/hello", second)).toBe("(200, b'hello')");
      await second.detach();
      expect(await get("http://site.test/hello")).toMatch(/closed connection|reset|refused/i);
      await sandbox.detach();
      sandbox = await driver.attach(id, { dataDir: dataDir(), egress: options().egress ?? {} });
      expect(await get("http://site.test/hello")).toBe("(200, b'hello')");
    });

    it.runIf(pause)("outlasts a pause", async () => {
      await sandbox.pause();
      await sandbox.resume();
      expect(await get("http://site.test/hello")).toBe("(200, b'hello')");
    });

    it("goes along with a fork", async () => {
      const copy = await sandbox.fork();
      try {
        expect(await get("http://site.test/hello", copy)).toBe("(200, b'hello')");
      } finally {
        await copy.destroy();
      }
    });

    it("survives two hundred connections at once, of which it serves as many as it may", async () => {
      const code = `
import concurrent.futures, urllib.request, urllib.error
def ask(n):
    try:
        return urllib.request.urlopen("http://site.test/hello", timeout=60).status
    except urllib.error.HTTPError as error:
        return error.code
    except OSError:
        return 0
with concurrent.futures.ThreadPoolExecutor(100) as pool:
    found = list(pool.map(ask, range(200)))
print(found.count(200) >= 64, set(found) <= {200, 429, 0})`;
      expect(await runOk(sandbox, code)).toMatchObject({ stdout: "True True\n" });
      expect(await get("http://site.test/hello")).toBe("(200, b'hello')");
    });
  });

  describe.runIf(network.includes("all-public"))("the network policy all-public", () => {
    it("reaches no address that is not public", async () => {
      const sandbox = await create({ network: "all-public" });
      for (const url of [
        "http://127.0.0.1/",
        "http://2130706433/",
        "http://[::1]/",
        "http://169.254.169.254/",
      ])
        expect(await evaluate(sandbox, fetching(url))).toMatch(/^\(403,\s+b'atoll: .* not public/);
    });
  });

  describe.runIf(network.includes("none"))("without a network policy", () => {
    it("there is no proxy, and nobody is told of one", async () => {
      const sandbox = await create();
      expect(await evaluate(sandbox, "import os; [n for n in os.environ if 'proxy' in n.lower()]")).toBe(
        "[]",
      );
      expect(await evaluate(sandbox, fetching("http://127.0.0.1:3128/"))).toMatch(/refused|non-recoverable/i);
    });

    it.runIf(describeInside(driver).hasProcesses)("its own name is all that it knows", async () => {
      const sandbox = await create();
      const code = "import socket; socket.gethostbyname('localhost')";
      expect(await evaluate(sandbox, code)).toBe("'127.0.0.1'");
    });
  });
}
