import { execFile } from "node:child_process";
import { access, constants } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { AtollError } from "../../errors.ts";
import { findPython } from "../../python-environment.ts";
import type { Owner } from "../_shared/layout.ts";

/** An id that no account has: what escapes the jail is nobody. `ATOLL_JAIL_UID` names another. */
const defaultJailId = 64_042;

/** As root, the jail runs as a user of its own; otherwise as the user of this process. */
export function jailOwner(): Owner | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = Number(process.env["ATOLL_JAIL_UID"] ?? defaultJailId);
  return { uid: id, gid: id };
}

/** Neither accounts nor the ranges that systemd and container engines hand out. `ATOLL_SANDBOX_UIDS` names others. */
const defaultSandboxUsers = "1900000000:1048576";

/** As root each sandbox is a user of its own, from this range: the first one, and how many there are. */
export function sandboxUsers(): Range {
  return readRange("ATOLL_SANDBOX_UIDS", "user", defaultSandboxUsers);
}

/** Above what administrators, container engines and Kubernetes number their projects with. `ATOLL_PROJECT_IDS` names others. */
const defaultProjectIds = "1900000000:1048576";

/** As root each sandbox is a project of its file system, from this range, where that keeps project quotas. */
export function projectIds(): Range {
  return readRange("ATOLL_PROJECT_IDS", "project id", defaultProjectIds);
}

type Range = readonly [first: number, count: number];

function readRange(variable: string, noun: string, usual: string): Range {
  const text = process.env[variable] ?? usual;
  const [, first = 0, count = 0] = (/^(\d+):(\d+)$/.exec(text) ?? []).map(Number);
  if (first < 1000 || count < 1024 || first + count > 2 ** 31)
    throw new AtollError(
      "invalid_argument",
      `${variable} is ${JSON.stringify(text)}: give the first ${noun} and how many there are, at least 1024, as in ${usual}`,
    );
  return [first, count];
}

export async function findBubblewrap(): Promise<string | undefined> {
  for (const folder of (process.env["PATH"] ?? "").split(delimiter)) {
    const path = join(folder, "bwrap");
    if (
      await access(path, constants.X_OK).then(
        () => true,
        () => false,
      )
    )
      return path;
  }
  return undefined;
}

/** In words that say what to install or change; undefined when all is there. */
export async function whyUnavailable(): Promise<string | undefined> {
  if (process.platform !== "linux") return `it needs Linux namespaces, and this is ${process.platform}`;
  if (process.arch !== "x64" && process.arch !== "arm64")
    return `its system-call filter has no table for ${process.arch}`;
  const bwrap = await findBubblewrap();
  if (!bwrap) return "bubblewrap is missing: install the package bubblewrap (apt-get install bubblewrap)";
  const [, refusal] = await Promise.all([findPython(), tryBubblewrap(bwrap)]);
  if (refusal)
    return `bubblewrap cannot make namespaces: ${refusal} (unprivileged user namespaces must be allowed)`;
  return undefined;
}

/** Goes as deep as a sandbox does: a jail, and in it namespaces with a /proc of their own. */
async function tryBubblewrap(bwrap: string): Promise<string | undefined> {
  const folders = ["/usr", "/bin", "/lib", "/lib64"].flatMap((folder) => ["--ro-bind-try", folder, folder]);
  const jail = ["--unshare-all", "--proc", "/proc", "--dev", "/dev", ...folders];
  const inner = [
    "unshare",
    "--user",
    "--map-root-user",
    "--mount",
    "--pid",
    "--net",
    "--fork",
    "--mount-proc",
    "true",
  ];
  try {
    await promisify(execFile)(bwrap, [...jail, "--", ...inner], jailOwner());
    return undefined;
  } catch (error) {
    return error instanceof Error && "stderr" in error ? String(error.stderr).trim() : String(error);
  }
}
