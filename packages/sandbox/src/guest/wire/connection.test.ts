import { mkdtemp, rm } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { GuestConnection } from "./connection.ts";
import { frameOf } from "../fuzz/mutations.ts";

/** A connection to a guest that answers every call with this header, of which `ID` is the call's id. */
async function callGuest(header: string): Promise<GuestConnection> {
  const folder = await mkdtemp(join(tmpdir(), "atoll-connection-"));
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => socket.write(frameOf(header.replace("ID", "1"), new Uint8Array())));
  });
  await new Promise<void>((resolve) => server.listen(join(folder, "guest.sock"), resolve));
  const connection = new GuestConnection(connect(join(folder, "guest.sock")));
  onTestFinished(async () => {
    await connection.close();
    server.close();
    await rm(folder, { recursive: true, force: true });
  });
  return connection;
}

describe("a connection to a guest", () => {
  it("does not believe a guest that says of itself that it has ended: only the end of the connection says so", async () => {
    const connection = await callGuest('{"id":ID,"error":{"code":"sandbox_dead","message":"no"}}');
    await expect(connection.call("shutdown")).rejects.toMatchObject({ code: "internal", message: "no" });
    expect(connection.isClosed).toBe(false);
  });
});
