// A machine for the tests of set-up: its PATH holds only the programs a test puts there.
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished, vi } from "vitest";
import { describeCheckout, type Checkout } from "./checkout.mjs";
import { createProgress, type Progress } from "./progress.mjs";

export interface FakeMachine {
  checkout: Checkout;
  progress: Progress;
  /** What set-up said so far. */
  said(): string;
  /** How the fake programs were called so far, one line a call. */
  calls(): string[];
  /** Adds a program: a shell script that can `log` how it is called. */
  addProgram(name: string, body: string): string;
}

export function createFakeMachine({ isRoot = false } = {}): FakeMachine {
  const folder = mkdtempSync(join(tmpdir(), "atoll-setup-"));
  const binDir = join(folder, "bin");
  const root = join(folder, "checkout");
  const callsPath = join(folder, "calls");
  mkdirSync(binDir);
  cpSync(join(import.meta.dirname, "../../python"), join(root, "python"), { recursive: true });
  const fontsDir = join(folder, "fonts");
  mkdirSync(join(fontsDir, "truetype/wqy"), { recursive: true });
  writeFileSync(join(fontsDir, "truetype/wqy/wqy-microhei.ttc"), "");
  writeFileSync(callsPath, "");
  vi.stubEnv("PATH", binDir);
  vi.stubEnv("XDG_CACHE_HOME", join(folder, "cache"));
  vi.stubEnv("ATOLL_PYTHON_BASE", "");
  vi.stubEnv("ATOLL_NO_APT", "");
  vi.stubEnv("npm_execpath", "");
  vi.spyOn(process, "getuid").mockReturnValue(isRoot ? 0 : 1000);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
    rmSync(folder, { recursive: true, force: true });
  });

  const lines: string[] = [];
  return {
    checkout: describeCheckout({ root, debianPython: join(binDir, "debian-python3"), fontsDir }),
    progress: createProgress({ write: (line) => lines.push(line) }),
    said: () => lines.join("\n"),
    calls: () => readFileSync(callsPath, "utf8").split("\n").filter(Boolean),
    addProgram(name, body) {
      const path = join(binDir, name);
      const prologue = `PATH=/usr/bin:/bin; log() { echo "${name} $*" >>'${callsPath}'; }`;
      writeFileSync(path, `#!/bin/sh\n${prologue}\n${body}\n`);
      chmodSync(path, 0o755);
      return path;
    },
  };
}

/** What a fake Python answers: its version, whether pip reaches an index, and what it can import. */
export interface FakePython {
  version?: [number, number, number];
  hasVenv?: boolean;
  isIndexReachable?: boolean;
  modules?: string[];
}

export function addPython(machine: FakeMachine, name: string, traits: FakePython): string {
  const { version = [3, 11, 7], hasVenv = true, isIndexReachable = false, modules = [] } = traits;
  const path = join(process.env["PATH"] ?? "", name);
  const description = JSON.stringify({ executable: path, version, hasVenv });
  return machine.addProgram(
    name,
    `case "$2 $3" in
    "-m venv") log venv; mkdir -p "$4/bin"; cp "$0" "$4/bin/python3"; printf 'command = %s' "$4" >"$4/pyvenv.cfg" ;;
    "-m pip") log "pip $4"; ${isIndexReachable} || { echo "ERROR: Connection refused"; exit 1; } ;;
    -c*hasVenv*) echo '${description}' ;;
    -c*imported*) for module in ${modules.join(" ")}; do echo "imported $module"; done ;;
    esac`,
  );
}
