import { createServer, type Server } from "node:net";
import { pipeline } from "node:stream";
import type { CallOptions } from "../contract/call.ts";
import type { Env, Ports, Processes, ProcessInfo } from "../contract/system.ts";
import { AtollError } from "../errors.ts";
import { checkPort, checkRange, checkStrings } from "./arguments.ts";
import { type Guest, withTimeout } from "./wire/guest.ts";

export function createEnv(guest: Guest): Env {
  const list = async (options?: CallOptions) =>
    (await guest.call<Record<string, string>>("env.get", {}, withTimeout(options))).result;
  return {
    list,
    async get(name, options) {
      checkStrings("name", { [name]: "" });
      return (await list(options))[name];
    },
    async set(values, options) {
      checkStrings(
        "values",
        Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value ?? ""])),
      );
      await guest.call("env.set", { values }, withTimeout(options));
    },
  };
}

export function createProcesses(guest: Guest): Processes {
  return {
    async list(options) {
      return (await guest.call<ProcessInfo[]>("processes.list", {}, withTimeout(options))).result;
    },
    async kill(pid, { signalName = "SIGKILL", ...options } = {}) {
      checkRange("pid", pid, 1);
      await guest.call("processes.kill", { pid, signal: signalName }, withTimeout(options));
    },
  };
}

/** `close` ends the addresses that `url` opened. */
export function createPorts(guest: Guest, hasPorts: boolean): Ports & { close(): Promise<void> } {
  const servers = new Map<number, Promise<Server>>();
  const ports: Ports = {
    async list(options) {
      return (await guest.call<number[]>("ports.list", {}, withTimeout(options))).result;
    },
    async connect(port, options) {
      checkPort(port);
      const connection = await guest.dial();
      try {
        return await connection.callForStream("ports.connect", { port }, withTimeout(options));
      } catch (error) {
        await connection.close();
        throw error;
      }
    },
    async url(port) {
      checkPort(port);
      if (!hasPorts) throw new AtollError("not_supported", "this runtime has no ports");
      const opening = servers.get(port) ?? forward(port, ports);
      servers.set(port, opening);
      const address = (await opening).address();
      return `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
    },
  };
  return {
    ...ports,
    async close() {
      const open = await Promise.allSettled(servers.values());
      servers.clear();
      for (const server of open) if (server.status === "fulfilled") server.value.close();
    },
  };
}

function forward(port: number, ports: Ports): Promise<Server> {
  const server = createServer({ pauseOnConnect: true }, (client) => {
    client.on("error", () => {});
    ports.connect(port).then(
      (inside) => {
        pipeline(client, inside, () => {});
        pipeline(inside, client, () => {});
      },
      () => client.destroy(),
    );
  });
  server.unref();
  return new Promise((resolve, reject) => {
    server.on("error", reject);
    server.listen(0, "127.0.0.1", () => resolve(server));
  });
}
