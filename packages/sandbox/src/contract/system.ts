import type { Duplex } from "node:stream";
import type { CallOptions } from "./call.ts";

export interface Ports {
  /** TCP ports that something inside listens on. */
  list(options?: CallOptions): Promise<readonly number[]>;
  /** A connection to a port on the sandbox's own loopback. */
  connect(port: number, options?: CallOptions): Promise<Duplex>;
  /** An address on this host's loopback that leads to the port for as long as the handle is open. */
  url(port: number, options?: CallOptions): Promise<string>;
}

/** The environment of kernels and of commands started from now on. */
export interface Env {
  get(name: string, options?: CallOptions): Promise<string | undefined>;
  set(values: Readonly<Record<string, string | null>>, options?: CallOptions): Promise<void>;
  list(options?: CallOptions): Promise<Readonly<Record<string, string>>>;
}

export interface Processes {
  list(options?: CallOptions): Promise<readonly ProcessInfo[]>;
  /** SIGKILL unless another signal is named. A process that is already gone is not an error. */
  kill(pid: number, options?: { signalName?: string } & CallOptions): Promise<void>;
}

export interface ProcessInfo {
  readonly pid: number;
  readonly parentPid: number;
  readonly name: string;
  readonly commandLine: string;
  readonly state: string;
  readonly residentBytes: number;
  readonly cpuMs: number;
}

export interface Metrics {
  readonly cpuMs: number;
  readonly memoryBytes: number;
  readonly memoryLimitBytes: number;
  readonly processes: number;
  readonly diskBytes: number;
  readonly diskLimitBytes: number;
  readonly uptimeMs: number;
}
