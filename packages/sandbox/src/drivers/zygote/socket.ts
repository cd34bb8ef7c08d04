import { open } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { basename, dirname } from "node:path";

const maxAddressBytes = 100;

/** Connects to a Unix socket whatever its path's length; the kernel takes only 107 bytes of it. */
export async function connectTo(path: string): Promise<Socket> {
  if (Buffer.byteLength(path) <= maxAddressBytes) return dial(path);
  const folder = await open(dirname(path), "r");
  try {
    return await dial(`/proc/self/fd/${folder.fd}/${basename(path)}`);
  } finally {
    await folder.close();
  }
}

function dial(path: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(path, () => {
      socket.off("error", reject);
      resolve(socket);
    });
    socket.once("error", reject);
  });
}
