import { readFileSync } from "node:fs";
import { defaultLimits, type NetworkPolicy, type SandboxInfo } from "@atoll/sandbox";
import type { AnswerRequest, Restore } from "../request.ts";
import type { DataProfile } from "@atoll/protocol";
import { describeData } from "@atoll/analyst";
import { describeRestore } from "./restore.ts";

/** What is said of the sandbox: known from an earlier wake, else what every isolating driver gives. */
export type SandboxFacts = Pick<SandboxInfo, "paths" | "limits" | "network">;

export const usualSandboxFacts: SandboxFacts = {
  paths: {
    workspace: "/workspace",
    session: "/session",
    artifacts: "/session/artifacts",
    data: "/data",
    outputs: "/data/outputs",
  },
  limits: defaultLimits,
};

export function sandboxFactsOf(request: Pick<AnswerRequest, "sandboxFacts" | "network">): SandboxFacts {
  const { sandboxFacts = usualSandboxFacts, network } = request;
  return network === undefined ? sandboxFacts : { ...sandboxFacts, network };
}

const role = readFileSync(new URL("./analyst.md", import.meta.url), "utf8").trim();

export function writeSystemPrompt(data: DataProfile, sandboxFacts: SandboxFacts, restore?: Restore): string {
  return [
    role,
    `# The sandbox\n${describeSandbox(sandboxFacts)}`,
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

export function describeSandbox({ paths, limits, network }: SandboxFacts): string {
  return [
    `- ${paths.workspace}: your working folder. It stays with the thread.`,
    `- ${paths.data}: the user's files, read-only.`,
    `- ${paths.artifacts}: put files there that the user should get.`,
    `- One run or command may take ${limits.timeoutMs / 1000} s unless you set another time, and print ${toMegabytes(limits.outputBytes)} MB.`,
    `- Memory: ${toMegabytes(limits.memoryBytes)} MB. Disk: ${toMegabytes(limits.diskBytes)} MB. Processor cores: ${limits.cpus}.`,
    `- ${describeNetwork(network)}`,
  ].join("\n");
}

const maxHosts = 30;

function describeNetwork(policy: NetworkPolicy = "none"): string {
  if (policy === "none")
    return "No network: nothing outside the sandbox can be reached. Only the user can allow hosts, in the settings of the thread.";
  const way = "through the proxy that HTTP_PROXY names, as pip, git, curl and pandas do by themselves";
  if (policy === "all-public") return `Network: public hosts at ports 80 and 443, ${way}.`;
  const hosts = policy.allow.slice(0, maxHosts).join(", ");
  const more = policy.allow.length > maxHosts ? ` and ${policy.allow.length - maxHosts} more` : "";
  return `Network: ${hosts}${more}, ${way}. All other hosts are refused.`;
}

function toMegabytes(bytes: number): number {
  return Math.round(bytes / 1024 / 1024);
}
