import { readFileSync } from "node:fs";
import { defaultLimits, type SandboxInfo } from "@atoll/sandbox";
import type { Restore } from "../request.ts";
import type { DataProfile } from "../tables/profile.ts";
import { describeData } from "../tables/describe-data.ts";
import { describeRestore } from "./restore.ts";

/** What is said of the sandbox: known from an earlier wake, else what every isolating driver gives. */
export type Surroundings = Pick<SandboxInfo, "paths" | "limits">;

export const usualSurroundings: Surroundings = {
  paths: {
    workspace: "/workspace",
    session: "/session",
    artifacts: "/session/artifacts",
    data: "/data",
    outputs: "/data/outputs",
  },
  limits: defaultLimits,
};

const role = readFileSync(new URL("./analyst.md", import.meta.url), "utf8").trim();

export function writeSystemPrompt(data: DataProfile, surroundings: Surroundings, restore?: Restore): string {
  return [
    role,
    `# The sandbox\n${describeSurroundings(surroundings)}`,
    ...(restore ? [`# Its variables\n${describeRestore(restore)}`] : []),
    `# The data\n${describeOnce(data)}`,
  ].join("\n\n");
}

/** Every message of a thread comes with the same profile. */
const descriptions = new WeakMap<DataProfile, string>();

function describeOnce(data: DataProfile): string {
  const text = descriptions.get(data) ?? describeData(data);
  descriptions.set(data, text);
  return text;
}

export function describeSurroundings({ paths, limits }: Surroundings): string {
  return [
    `- ${paths.workspace}: your working folder. It stays with the thread.`,
    `- ${paths.data}: the user's files, read-only.`,
    `- ${paths.artifacts}: put files there that the user should get.`,
    `- One run or command may take ${limits.timeoutMs / 1000} s unless you set another time, and print ${toMegabytes(limits.outputBytes)} MB.`,
    `- Memory: ${toMegabytes(limits.memoryBytes)} MB. Disk: ${toMegabytes(limits.diskBytes)} MB. Processor cores: ${limits.cpus}.`,
    "- No network unless a call shows otherwise.",
  ].join("\n");
}

function toMegabytes(bytes: number): number {
  return Math.round(bytes / 1024 / 1024);
}
