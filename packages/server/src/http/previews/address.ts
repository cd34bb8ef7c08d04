/** A port of a sandbox, as an address names it. */
export interface PreviewAddress {
  /** Of the thread, or of a program's sandbox. */
  readonly sandboxId: string;
  readonly port: number;
  /** `host`: an origin of its own. `path`: below the server's own, and therefore shown without an origin. */
  readonly form: "host" | "path";
  /** What the program inside is asked for. */
  readonly target: string;
}

const hostForm = /^(\d{1,5})-([a-z0-9][a-z0-9-]{5,56})\.localhost(?::\d+)?$/;
const pathForm = /^\/preview\/([A-Za-z0-9_-]{6,64})\/(\d{1,5})(\/.*|\?.*)?$/s;

/** Undefined for an address of the server itself. */
export function readPreviewAddress(host: string | undefined, url: string): PreviewAddress | undefined {
  const [, hostPort, hostId] = hostForm.exec(host?.toLowerCase() ?? "") ?? [];
  if (hostId !== undefined && isPort(hostPort))
    return { sandboxId: hostId, port: Number(hostPort), form: "host", target: url };
  const [, pathId, pathPort, rest = "/"] = pathForm.exec(url) ?? [];
  if (pathId === undefined || !isPort(pathPort)) return undefined;
  const target = rest.startsWith("/") ? rest : `/${rest}`;
  return { sandboxId: pathId, port: Number(pathPort), form: "path", target };
}

/** `serverUrl` is where the server listens; a name that cannot be a host's has the path form only. */
export function writePreviewAddresses(serverUrl: string, sandboxId: string, port: number) {
  const { port: serverPort, protocol } = new URL(serverUrl);
  const path = `/preview/${sandboxId}/${port}/`;
  const host = `${port}-${sandboxId}.localhost${serverPort === "" ? "" : `:${serverPort}`}`;
  return readPreviewAddress(host, "/")?.sandboxId === sandboxId
    ? { path, url: `${protocol}//${host}/` }
    : { path };
}

function isPort(text: string | undefined): boolean {
  const port = Number(text);
  return text !== undefined && port > 0 && port < 65_536;
}
