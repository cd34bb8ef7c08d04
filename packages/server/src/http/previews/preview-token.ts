import { createHmac } from "node:crypto";
import { isEqual } from "../../constant-time.ts";

export interface Pass {
  readonly sandboxId: string;
  readonly port: number;
  /** Seconds since 1970. */
  readonly expires: number;
}

/** Lets a browser see one port of one sandbox until it expires; it is no way to anything else of the server. */
export function signPass(pass: Pass, key: Uint8Array): string {
  return `${pass.expires}.${sign(pass, key)}`;
}

export function isPassValid(text: string, place: Omit<Pass, "expires">, key: Uint8Array): boolean {
  const [expires = "", signature = ""] = text.split(".", 2);
  const pass = { ...place, expires: Number(expires) };
  return Date.now() < pass.expires * 1000 && isEqual(signature, sign(pass, key));
}

function sign({ sandboxId, port, expires }: Pass, key: Uint8Array): string {
  return createHmac("sha256", key)
    .update(JSON.stringify(["preview", sandboxId, port, expires]))
    .digest("base64url");
}
