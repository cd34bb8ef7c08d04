import { writePreviewAddresses } from "./address.ts";
import { signPass } from "./preview-token.ts";

const passSeconds = 12 * 3600;

/** What decides how a browser reaches previews. */
export interface PreviewAccess {
  readonly isLoopback: boolean;
  readonly token?: string | undefined;
  readonly signingKey: Uint8Array;
}

/** Where a browser finds what listens on a port, with a pass where the server demands a token. */
export function writePreviewLink(
  access: PreviewAccess,
  { origin, sandboxId, port }: { origin: string; sandboxId: string; port: number },
): { readonly port: number; readonly path: string; readonly url?: string } {
  const { path, url } = writePreviewAddresses(origin, sandboxId, port);
  const expires = Math.floor(Date.now() / 1000) + passSeconds;
  const pass =
    access.token === undefined
      ? ""
      : `?atoll_preview=${signPass({ sandboxId, port, expires }, access.signingKey)}`;
  return {
    port,
    path: path + pass,
    // Such a name is this machine's own, wherever it is asked for.
    ...(url !== undefined && access.isLoopback ? { url: url + pass } : {}),
  };
}
