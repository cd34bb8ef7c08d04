import { randomBytes } from "node:crypto";
import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { type AddressInfo, createServer, type ListenOptions, type Server } from "node:net";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import type { Suite } from "@atoll/sandbox/conformance";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { probe, probeOnHost } from "./probe.ts";

type Outcomes = Record<string, string>;

export function describeNetworkDenials({ share, dataDir }: Suite): void {
  describe("connecting, with the network off,", () => {
    const sandbox = share({ network: "none" });
    const token = randomBytes(8).toString("hex");
    const abstractName = `\0atoll-${token}`;
    const servers: Server[] = [];
    let datagrams: Socket;
    let reached = 0;

    const listen = async (options: ListenOptions): Promise<Server> => {
      const server = createServer((connection) => {
        reached++;
        connection.on("error", () => undefined).end();
      });
      server.listen(options);
      await once(server, "listening");
      servers.push(server);
      return server;
    };
    const tryTo = (args: object): Promise<Outcomes> => probe(sandbox(), "connections", { token, ...args });

    beforeAll(async () => {
      datagrams = createSocket("udp4", () => void reached++).bind(0, "127.0.0.1");
      await once(datagrams, "listening");
    });
    afterAll(() => {
      datagrams.close();
      for (const server of servers) server.close();
    });

    it.each(["127.0.0.1", "::1"])("to a service of the host on %s", async (host) => {
      const server = await listen({ host, port: 0 }).catch(() => undefined);
      if (server) await expectDenied({ tcp: [[host, (server.address() as AddressInfo).port]] });
    });

    it("to a service of the host on its other addresses", async () => {
      const { port } = (await listen({ host: "0.0.0.0", port: 0 })).address() as AddressInfo;
      const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
      const own = addresses.filter((one) => one.family === "IPv4" && !one.internal).map((one) => one.address);
      await expectDenied({ tcp: ["127.0.0.1", "0.0.0.0", "localhost", ...own].map((host) => [host, port]) });
    });

    it("by datagrams to the host", async () => {
      await expectDenied({ udp: [["127.0.0.1", datagrams.address().port]] });
    });

    it("to an abstract Unix socket of the host", async () => {
      await listen({ path: abstractName });
      await expectDenied({ unix: [abstractName] });
    });

    it("to a Unix socket of the host by its path", async () => {
      const path = join(dataDir(), "host.sock");
      await listen({ path });
      await expectDenied({ unix: [path] });
    });

    it("to well-known sockets of the host", async () => {
      const unix = [
        "/var/run/docker.sock",
        "/run/docker.sock",
        "/run/containerd/containerd.sock",
        "/run/dbus/system_bus_socket",
        "/run/systemd/private",
        "/run/systemd/notify",
      ];
      expectUnreached(await tryTo({ unix }));
    });

    it("to the metadata service of a cloud", async () => {
      expectUnreached(
        await tryTo({
          tcp: [
            ["169.254.169.254", 80],
            ["fd00:ec2::254", 80],
          ],
          udp: [["169.254.169.254", 80]],
        }),
      );
    });

    it("to anywhere else", async () => {
      const tcp = [
        ["1.1.1.1", 443],
        ["8.8.8.8", 53],
        ["10.0.0.1", 80],
        ["192.168.0.1", 80],
        ["172.17.0.1", 80],
        ["2606:4700:4700::1111", 443],
      ];
      expectUnreached(
        await tryTo({
          tcp,
          udp: [
            ["8.8.8.8", 53],
            ["224.0.0.251", 5353],
            ["255.255.255.255", 67],
          ],
        }),
      );
    });

    it("to a name server", async () => {
      expectUnreached(
        await tryTo({
          names: ["example.com", "metadata.google.internal", "host.docker.internal", `${token}.example.org`],
        }),
      );
    });

    it.each([
      "raw IPv4",
      "raw IPv6",
      "packet",
      "packet datagram",
      "vsock",
      "xdp",
      "bluetooth",
      "key management",
      "crypto",
      "kernel events",
      "multipath TCP",
      "SCTP",
      "UDP-Lite",
      "ping",
    ])("by a socket of the kind: %s", async (kind) => expectUnreached(await tryTo({ kinds: [kind] })));

    it("through an interface: there is none but its own loopback", async () => {
      const { stdout } = await sandbox().python.run(
        "import socket; print(*(name for _, name in socket.if_nameindex()))",
      );
      expect(
        stdout
          .trim()
          .split(" ")
          .filter((name) => name !== "lo" && name !== ""),
      ).toEqual([]);
    });

    /** Nobody is reached from inside; from the host the same probe reaches them. */
    const expectDenied = async (args: object): Promise<void> => {
      reached = 0;
      expectUnreached(await tryTo(args));
      expect(reached).toBe(0);
      const control = await probeOnHost<Outcomes>("connections", { token, ...args });
      expect(Object.values(control)).toContain("reached");
    };
  });
}

function expectUnreached(outcomes: Outcomes): void {
  expect(Object.keys(outcomes).length).toBeGreaterThan(0);
  expect(Object.entries(outcomes).filter(([, outcome]) => outcome === "reached")).toEqual([]);
}
