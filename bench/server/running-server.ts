import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { ServerProcess } from "../../tests/support/server-process.ts";
import type { Session } from "../session.ts";
import { ask, closeConnections } from "./requests.ts";

/** A server of its own for one measure, gone after it. */
export async function withServer<Result>(
  session: Session,
  env: Readonly<Record<string, string>>,
  work: (server: ServerProcess) => Promise<Result>,
): Promise<Result> {
  const dataDir = join(session.folder, "server");
  await mkdir(dataDir, { recursive: true });
  const server = await ServerProcess.start({ dataDir, env });
  const stop = () => void server.kill();
  session.signal.addEventListener("abort", stop, { once: true });
  try {
    return await work(server);
  } finally {
    session.signal.removeEventListener("abort", stop);
    closeConnections();
    await server.stop();
  }
}

export async function createThread(server: ServerProcess): Promise<string> {
  const thread = await ask<{ thread_id: string }>(`${server.url}/thread/new`, { method: "POST", body: {} });
  return thread.thread_id;
}
