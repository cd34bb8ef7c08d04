import { writeFile } from "node:fs/promises";
import { hostname, networkInterfaces } from "node:os";
import { AtollClient } from "@atoll/client";
import { localDriver } from "@atoll/sandbox";
import { afterAll, beforeAll, expect, it } from "vitest";
import { DataFolder } from "../support/data-folder.ts";
import { useDockerEngine } from "../support/docker-engine/index.ts";
import { describeIf } from "../support/requirements.ts";
import { type EgressSite, openEgressSite } from "../support/egress-site/index.ts";
import type { ServerProcess } from "../support/server-process.ts";
import { countMetric } from "./lifecycle/bench.ts";

/** Asks the proxy in raw words, so that no library keeps an attempt back: the first line of each answer. */
const program = `
import json, socket
def ask(words):
    with socket.create_connection(("127.0.0.1", 3128), 30) as proxy:
        proxy.sendall(words.encode())
        proxy.settimeout(30)
        answer = b""
        while piece := proxy.recv(65536):
            answer += piece
        return answer.decode("latin-1")
print(json.dumps({name: ask(words)[:400] for name, words in json.loads(REQUESTS).items()}))`;

const runtimes = [
  { runtime: "local", missing: await localDriver.unavailableBecause() },
  { runtime: "docker", ...(await useDockerEngine()) },
];

for (const { runtime, missing } of runtimes)
  describeIf({ suite: `${runtime}: what the proxy must not be used for`, missing, isRequired: true }, () => {
    let folder: DataFolder;
    let site: EgressSite;
    let server: ServerProcess;
    let client: AtollClient;
    let port = "";
    beforeAll(async () => {
      [folder, site] = await Promise.all([DataFolder.create("relay"), openEgressSite()]);
      const file = `${folder.path}/egress.json`;
      await writeFile(file, JSON.stringify({ addresses: { "site.test": site.url } }), { mode: 0o600 });
      const { DOCKER_HOST = "", ATOLL_POOL_PRELOAD = "" } = process.env;
      server = await folder.start({
        env: {
          SANDBOX_RUNTIME: runtime,
          ATOLL_EGRESS_FILE: file,
          DOCKER_HOST,
          ATOLL_POOL_PRELOAD,
          ATOLL_POOL_SIZE: "0",
        },
      });
      client = new AtollClient({ baseUrl: server.url });
      ({ port } = new URL(server.url));
    });
    afterAll(async () => {
      await folder?.[Symbol.asyncDispose]();
      await site?.close();
    });

    async function askAll(
      network: "all-public" | { allow: string[] },
      requests: Record<string, string>,
    ): Promise<Record<string, string>> {
      const { sandbox_id: id } = await client.sandboxes.create({ network });
      const code = program.replace("REQUESTS", JSON.stringify(JSON.stringify(requests)));
      const { stdout, error } = await client.sandboxes.runPython(id, code);
      expect(error?.traceback).toBeUndefined();
      await client.sandboxes.remove(id);
      return JSON.parse(stdout) as Record<string, string>;
    }
    const getting = (url: string) => `GET ${url} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
    const connecting = (place: string) => `CONNECT ${place} HTTP/1.1\r\nHost: x\r\n\r\n`;

    it("the server's own API, in whatever spelling, also where a policy names it", async () => {
      const own = Object.values(networkInterfaces())
        .flatMap((list) => list ?? [])
        .filter(({ family }) => family === "IPv4")
        .map(({ address }) => address);
      const spellings = ["localhost", "2130706433", "0x7f.1", "0177.0.0.1", "0.0.0.0", hostname(), ...own];
      const places = [...spellings, "[::1]", "[::ffff:127.0.0.1]", "[64:ff9b::7f00:1]"].map(
        (host) => `${host}:${port}`,
      );
      const requests = Object.fromEntries(
        places.flatMap((place) => [
          [`GET ${place}`, getting(`http://${place}/threads`)],
          [`CONNECT ${place}`, `${connecting(place)}${getting("/threads")}`],
        ]),
      );
      const named = { allow: spellings.map((host) => `${host}:${port}`) };
      for (const network of ["all-public" as const, named]) {
        const answers = await askAll(network, requests);
        expect(Object.keys(answers)).toHaveLength(places.length * 2);
        const relayed = Object.entries(answers).filter(
          ([, answer]) => !/^HTTP\/1\.1 (403 |502 [^]*there is no host)/.test(answer),
        );
        expect(relayed).toEqual([]);
      }
      expect(await countMetric(server.url, "atoll_http_requests_total", 'route="/threads"')).toBe(0);
    });

    it("addresses that are not public, other ports, and what a redirect leads to", async () => {
      const requests = {
        metadata: getting("http://169.254.169.254/latest/meta-data/"),
        metadataTunnel: connecting("169.254.169.254:443"),
        private: getting("http://10.0.0.1/"),
        privateV6: getting("http://[fd00::1]/"),
        mail: connecting("site.test:25"),
        shell: connecting("site.test:22"),
        redirected: getting(`http://127.0.0.1:${port}/threads`),
      };
      for (const network of [
        "all-public" as const,
        { allow: ["site.test", "10.0.0.1", "169.254.169.254"] },
      ]) {
        const answers = await askAll(network, requests);
        const statuses = Object.entries(answers).map(([name, answer]) => `${name} ${answer.slice(9, 12)}`);
        expect(statuses).toEqual(Object.keys(requests).map((name) => `${name} 403`));
        expect(answers["metadata"]).not.toContain("meta-data");
      }
      const there = encodeURIComponent(`http://127.0.0.1:${port}/threads`);
      const { redirect } = await askAll(
        { allow: ["site.test"] },
        { redirect: getting(`http://site.test/to/${there}`) },
      );
      expect(redirect).toMatch(
        new RegExp(`^HTTP/1\\.1 302 [^]*location: http://127\\.0\\.0\\.1:${port}/threads`, "i"),
      );
      expect(await countMetric(server.url, "atoll_http_requests_total", 'route="/threads"')).toBe(0);
    });

    it("a program's traffic is shown with its sandbox", async () => {
      const { sandbox_id: id, network } = await client.sandboxes.create({
        network: { allow: ["site.test"] },
      });
      expect(network).toEqual({ allow: ["site.test"] });
      const code = "import urllib.request; urllib.request.urlopen('http://site.test/hello').read().decode()";
      expect((await client.sandboxes.runPython(id, code)).results[0]?.text).toBe("'hello'");
      const look = async () => (await client.sandboxes.traffic(id)).traffic;
      await expect.poll(look).toMatchObject([{ host: "site.test", outcome: "allowed", received_bytes: 5 }]);
      await client.sandboxes.remove(id);
    });
  });
