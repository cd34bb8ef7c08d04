import type { SandboxPaths } from "../../contract/sandbox.ts";

/** Where things are inside every isolating driver. */
export const isolatedPaths: SandboxPaths = {
  workspace: "/workspace",
  session: "/session",
  artifacts: "/session/artifacts",
  data: "/data",
  outputs: "/data/outputs",
};

/** The whole environment of code in a sandbox; nothing of the host's gets in. */
export function insideEnv(paths: SandboxPaths): Record<string, string> {
  return {
    PATH: `${paths.workspace}/.local/bin:/opt/venv/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`,
    HOME: paths.workspace,
    USER: "user",
    LOGNAME: "user",
    SHELL: "/bin/bash",
    LANG: "C.UTF-8",
    TERM: "dumb",
    TMPDIR: "/tmp",
    MPLBACKEND: "Agg",
    PYTHONUSERBASE: `${paths.workspace}/.local`,
    PYTHONUNBUFFERED: "1",
    PYTHONDONTWRITEBYTECODE: "1",
    PIP_DISABLE_PIP_VERSION_CHECK: "1",
    // As `--user`, which pip refuses in a virtual environment.
    PIP_PREFIX: `${paths.workspace}/.local`,
  };
}
