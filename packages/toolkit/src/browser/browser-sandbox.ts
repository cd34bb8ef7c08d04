import {
  AtollError,
  type CreateOptions,
  type EgressOptions,
  type Limits,
  Sandbox,
  type SandboxHandle,
  type Traffic,
} from "@atoll/sandbox";
import { attachIfAlive } from "../session/attach-if-alive.ts";
import { NOWHERE } from "./chromium/flags.ts";
import type { SessionBrowserOptions } from "./session-browser.ts";

const BROWSER_IMAGE = "atoll/browser:latest";

const MiB = 1024 * 1024;
/** A browser has many threads, files and much memory; a session's own sandbox needs none of that. */
const browserLimits: Partial<Limits> = {
  cpus: 2,
  memoryBytes: 3072 * MiB,
  processes: 1024,
  openFiles: 8192,
  fileSizeBytes: 512 * MiB,
  diskBytes: 1024 * MiB,
  tmpBytes: 512 * MiB,
};

export interface BrowserSandboxOptions extends Omit<SessionBrowserOptions, "sandbox" | "idleMs"> {
  readonly session: Sandbox;
  sandbox(): Promise<Sandbox>;
  readonly onTraffic: (traffic: Traffic) => void;
}

/** The sandbox that the browser gets, on the profile of an earlier one. One that a dead process left is ended first. */
export async function openBrowserSandbox(options: BrowserSandboxOptions): Promise<SandboxHandle> {
  const { info } = options.session;
  const { isolation, shell, ports, images } = info.capabilities;
  if (!isolation || !shell || !ports)
    throw new AtollError(
      "not_supported",
      `a browser needs a sandbox with a boundary and programs, which the ${info.driver} runtime does not give: use local or docker`,
    );
  const creation: CreateOptions = {
    ...placeOf(options),
    id: options.id,
    runtime: info.driver,
    network: info.network ?? "none",
    egress: egressOf(options),
    limits: { ...browserLimits, ...options.limits },
    ...(images ? { image: options.image ?? BROWSER_IMAGE } : {}),
    labels: options.labels,
  };
  try {
    return await Sandbox.create(creation);
  } catch (error) {
    if (isCode(error, "already_exists")) {
      const left = await attachIfAlive(options.id, { ...placeOf(options), runtime: info.driver });
      await left?.destroy({ keepFiles: true });
      return Sandbox.create(creation);
    }
    if (images && isCode(error, "not_found"))
      throw new AtollError(
        "not_supported",
        `there is no image ${options.image ?? BROWSER_IMAGE}: build it with npm run images -- browser`,
        { cause: error },
      );
    throw error;
  }
}

/** Also of one that has ended: it is opened once more, which is the way to its files. */
export async function removeBrowserFiles(options: SessionBrowserOptions): Promise<void> {
  const { runtime } = options;
  const place = { ...placeOf(options), runtime };
  const [listing] = await Sandbox.list({ ...place, ids: [options.id] });
  if (!listing) return;
  const alive = listing.state === "dead" ? undefined : await attachIfAlive(options.id, place);
  const handle = alive ?? (await Sandbox.create({ ...place, id: options.id }));
  await handle.destroy();
}

function placeOf({ dataDir }: Pick<SessionBrowserOptions, "dataDir">): { dataDir?: string } {
  return dataDir === undefined ? {} : { dataDir };
}

/** `localhost` in the browser is the session's sandbox: what its programs serve can be looked at. */
function egressOf({ egress = {}, sandbox, onTraffic }: BrowserSandboxOptions): EgressOptions {
  const { credentials: _, env: __, ...rest } = egress;
  const open = async (port: number) => (await sandbox()).ports.connect(port);
  const services = { localhost: open, "127.0.0.1": open, "::1": open };
  return {
    ...rest,
    services,
    onTraffic(traffic) {
      onTraffic(traffic);
      // What stays within the session, or is not meant to lead anywhere, is not traffic of the network.
      if (!Object.hasOwn(services, traffic.host) && traffic.host !== NOWHERE) egress.onTraffic?.(traffic);
    },
  };
}

function isCode(error: unknown, code: AtollError["code"]): boolean {
  return error instanceof AtollError && error.code === code;
}
