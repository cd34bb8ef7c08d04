import { access, chmod, cp, mkdir, mkdtemp, readlink, symlink, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import type { PythonEnvironment } from "../../python-environment.ts";

export interface JailBind {
  source: string;
  target: string;
  writable: boolean;
}

/** What of the host's /etc a program needs that is nobody's secret. */
const sharedEtc = [
  "ld.so.cache",
  "ld.so.conf",
  "ld.so.conf.d",
  "alternatives",
  "ssl/certs",
  "ssl/openssl.cnf",
  "ca-certificates.conf",
  "pki/tls/certs",
  "fonts",
  "localtime",
  "timezone",
  "mime.types",
  "matplotlibrc",
  "magic",
  "protocols",
  "services",
  "inputrc",
  "debian_version",
];

const userId = "1000";

/** Files of /etc that would tell of the host's users and names, replaced by ones that do not. */
const ownEtc = {
  passwd: `root:x:0:0:root:/root:/usr/sbin/nologin\nuser:x:${userId}:${userId}:user:/workspace:/bin/bash\nnobody:x:65534:65534:nobody:/:/usr/sbin/nologin\n`,
  group: `root:x:0:\nuser:x:${userId}:\nnogroup:x:65534:\n`,
  hosts: "127.0.0.1 localhost atoll\n::1 localhost\n",
  hostname: "atoll\n",
  "resolv.conf": "",
  "nsswitch.conf": "passwd: files\ngroup: files\nhosts: files dns\n",
};

/**
 * The outer boundary: a read-only system, no network, an unprivileged user, none of the host's processes, homes or
 * secrets. Sandboxes are made inside it and can have no more than it has.
 */
export async function bubblewrapArguments(python: PythonEnvironment, runFolder: string) {
  // One of its own for each jail, which shows it as its /etc and /opt for as long as it lives.
  const system = await mkdtemp(join(runFolder, systemPrefix));
  await chmod(system, 0o755);
  await makeEtc(join(system, "etc"));
  const { interpreter, binds: pythonBinds } = await makeOpt(join(system, "opt"), python);
  const flags = [
    // The user namespace is the launcher's affair.
    ["--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"],
    ["--as-pid-1", "--new-session", "--clearenv", "--hostname", "atoll-jail"],
    ["--uid", userId, "--gid", userId],
    ["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--dir", "/newroot", "--chdir", "/"],
    [
      "--setenv",
      "PATH",
      "/usr/local/bin:/usr/bin:/bin",
      "--setenv",
      "LANG",
      "C.UTF-8",
      "--setenv",
      "HOME",
      "/tmp",
    ],
    python.mplConfigDir ? ["--setenv", "ATOLL_MPLCONFIG", "/opt/mplconfig"] : [],
    Object.entries(libraryPath(python)).flatMap(([name, value]) => ["--setenv", name, value]),
  ].flat();
  // A few mounts, since every sandbox repeats them: composed folders instead of a mount for each file.
  const binds: JailBind[] = [
    { source: "/usr", target: "/usr", writable: false },
    { source: join(system, "etc"), target: "/etc", writable: false },
    { source: join(system, "opt"), target: "/opt", writable: false },
    ...pythonBinds,
  ];
  for (const name of ["bin", "sbin", "lib", "lib32", "lib64", "libx32"]) {
    const target = await readlink(`/${name}`).catch(() => undefined);
    if (target !== undefined) flags.push("--symlink", target, `/${name}`);
    else if (await exists(`/${name}`))
      binds.push({ source: `/${name}`, target: `/${name}`, writable: false });
  }
  return { arguments: flags, binds, interpreter, system };
}

/** What other jails of the same folder have left is found by its name. */
const systemPrefix = "system-";

async function makeEtc(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const name of sharedEtc) {
    if (!(await exists(`/etc/${name}`))) continue;
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await cp(`/etc/${name}`, join(folder, name), { recursive: true, verbatimSymlinks: true });
  }
  for (const [name, text] of Object.entries(ownEtc)) await writeReadable(join(folder, name), text);
}

const movedPrefix = "/opt/python";

function isMoved(python: PythonEnvironment): boolean {
  return !python.basePrefix.startsWith("/usr");
}

/**
 * An interpreter looks for its shared library where it was installed. Not found there, the system's of another patch
 * level would be taken in its stead.
 */
export function libraryPath(python: PythonEnvironment): Record<string, string> {
  return isMoved(python) ? { LD_LIBRARY_PATH: `${movedPrefix}/lib` } : {};
}

/** Shows the interpreter and its packages at paths of the jail's own, whoever's home they lie in. */
async function makeOpt(
  folder: string,
  python: PythonEnvironment,
): Promise<{ interpreter: string; binds: JailBind[] }> {
  const binds: JailBind[] = [];
  const show = async (source: string, target: string) => {
    await mkdir(join(dirname(folder), target), { recursive: true });
    binds.push({ source, target, writable: false });
  };
  await mkdir(folder, { recursive: true });
  if (python.mplConfigDir) await cp(python.mplConfigDir, join(folder, "mplconfig"), { recursive: true });
  let base = python.baseExecutable;
  if (isMoved(python)) {
    await show(python.basePrefix, movedPrefix);
    base = join(movedPrefix, relative(python.basePrefix, python.baseExecutable));
  }
  if (!python.venv) return { interpreter: base, binds };
  await show(join(python.venv, "lib"), "/opt/venv/lib");
  const bin = join(folder, "venv/bin");
  await mkdir(bin);
  for (const name of ["python3", "python", `python${python.version}`]) await symlink(base, join(bin, name));
  await writeReadable(
    join(folder, "venv/pyvenv.cfg"),
    `home = ${dirname(base)}\ninclude-system-site-packages = false\n`,
  );
  await writeReadable(join(bin, "pip"), `#!/bin/sh\nexec /opt/venv/bin/python3 -m pip "$@"\n`);
  await chmod(join(bin, "pip"), 0o755);
  return { interpreter: "/opt/venv/bin/python3", binds };
}

async function writeReadable(path: string, text: string): Promise<void> {
  await writeFile(path, text);
  await chmod(path, 0o644);
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
