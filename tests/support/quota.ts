import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { evaluate } from "@atoll/sandbox/conformance";
import type { CreateOptions, Sandbox, SandboxHandle } from "@atoll/sandbox";
import { localDriver } from "@atoll/sandbox";
import { onTestFinished } from "vitest";

/** A folder on XFS or ext4 that was mounted with `prjquota`. */
const folder = process.env["ATOLL_TEST_QUOTA_DIR"];
const calls = resolve(import.meta.dirname, "../../packages/guest/atoll_guest/zygote");

export const missingQuota =
  folder === undefined
    ? "ATOLL_TEST_QUOTA_DIR names no folder of a file system with project quotas"
    : process.getuid?.() === 0
      ? undefined
      : "only root may set quotas";

/** A data folder on the file system with quotas, gone after the test. */
export async function makeQuotaDataDir(): Promise<string> {
  const dataDir = await mkdtemp(join(folder ?? "", "atoll-quota-"));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true, maxRetries: 10 }));
  return dataDir;
}

export async function createLimited(
  dataDir: string,
  diskBytes: number,
  more: CreateOptions = {},
): Promise<SandboxHandle> {
  const sandbox = await localDriver.create({ dataDir, limits: { diskBytes }, ...more });
  onTestFinished(() => sandbox.destroy());
  return sandbox;
}

export interface Quota {
  readonly project: number;
  readonly hard_kib: number;
  readonly hard_inodes: number;
  readonly used_bytes: number;
  readonly used_inodes: number;
}

/** What the file system has of a sandbox's project, asked on the host. */
export function readQuota(dataDir: string, { id }: Sandbox): Promise<Quota> {
  const path = join(dataDir, "local/store/sandboxes", id);
  return onHost(`folder = os.open(${JSON.stringify(path)}, os.O_RDONLY)
print(json.dumps(vars(quota_calls.read_quota(folder, quota_calls.project_of(folder)[0]))))`);
}

export function readProject(dataDir: string, project: number): Promise<Quota> {
  return onHost(`folder = os.open(${JSON.stringify(dataDir)}, os.O_RDONLY)
print(json.dumps(vars(quota_calls.read_quota(folder, ${project}))))`);
}

/** Python as root, with the module of the kernel's calls. */
export async function onHost<Answer>(code: string): Promise<Answer> {
  const program = `import json, os, sys\nsys.path.insert(0, ${JSON.stringify(calls)})\nimport quota_calls\n${code}`;
  const { stdout } = await promisify(execFile)("python3", ["-c", program]);
  return JSON.parse(stdout || "null") as Answer;
}

/** What all the files of the workspace take up, as the sandbox sees it. */
export async function readUsedBytes(sandbox: Sandbox): Promise<number> {
  const sum =
    "import os\nsum(os.lstat(os.path.join(p, n)).st_blocks * 512 for p, d, f in os.walk('/workspace') for n in d + f)";
  return Number(await evaluate(sandbox, sum));
}
