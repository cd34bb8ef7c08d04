import type { Suggestions } from "./thread-data/suggestions.ts";
import type { ThreadSandboxes } from "@atoll/lifecycle";
import type { Sandbox } from "@atoll/sandbox";
import type { EgressCounts } from "../metrics/egress-counts.ts";
import type { SandboxCounts } from "../metrics/sandbox-counts.ts";
import type { ThreadBrowsers } from "../browsers/thread-browsers.ts";
import type { Cluster } from "../cluster/cluster.ts";
import type { ThreadLimits } from "../limits/thread-limits.ts";
import type { McpEndpoint } from "./mcp/endpoint.ts";
import type { Networks } from "../network/networks.ts";
import type { RecentTraffic } from "../network/recent-traffic.ts";
import type { Obstacle } from "../readiness/readiness.ts";
import type { ApiSandboxes } from "../api-sandboxes/api-sandboxes.ts";
import type { Runner } from "../threads/contract.ts";
import type { Sessions } from "../sessions/sessions.ts";
import type { Exported, ExportInput } from "../export/export-thread.ts";
import type { ModelCheck } from "../models.ts";
import type { ThreadTrash } from "../trash/thread-trash.ts";
import type { BlobStore, SettingsStore, ThreadLog, ThreadStore, UploadStore } from "../store/contract.ts";
import type { ShareStore } from "../store/shares/contract.ts";

/** All that the routes stand on. Whoever starts the server puts it together; tests may put in parts of their own. */
export interface Services {
  readonly log: ThreadLog;
  readonly threads: ThreadStore;
  readonly uploads: UploadStore;
  readonly blobs: BlobStore;
  readonly shares: ShareStore;
  readonly settings: SettingsStore;
  readonly runner: Runner;
  readonly threadTrash: ThreadTrash;
  readonly threadSandboxes: Pick<
    ThreadSandboxes,
    "state" | "describe" | "list" | "jobs" | "reviveJob" | "updateNetwork" | "keepAwake"
  >;
  readonly apiSandboxes: ApiSandboxes;
  /** Absent: there are no temporary threads. */
  readonly sessions?: Sessions;
  readonly networks: Networks;
  readonly threadLimits: ThreadLimits;
  readonly recentTraffic: RecentTraffic;
  /** The thread's sandbox as a run would find it, for a use outside of a run. */
  openSandbox(threadId: string): Promise<Sandbox>;
  /** `built-in` or provider:model: what answers for this choice; without one, for the server's. */
  resolveModel(choice?: string): string;
  /** Asks the model for one token. */
  checkModel(choice: string | undefined, signal: AbortSignal): Promise<ModelCheck>;
  readonly suggestions: Suggestions;
  exportThread(format: "ipynb" | "md" | "json", input: ExportInput): Promise<Exported> | Exported;
  /** Runs since the start, by how they ended; see `RunCounts`. */
  countRuns?(): Readonly<Record<string, number>>;
  /** What happens to threads' sandboxes, for /metrics. */
  readonly sandboxCounts?: SandboxCounts;
  readonly egressCounts?: EgressCounts;
  readonly mcp?: Pick<McpEndpoint, "handle" | "shut">;
  /** Absent: browsers are not supported. */
  readonly browsers?: ThreadBrowsers;
  /** With several servers: what is known of them. */
  readonly cluster?: Pick<Cluster, "servers" | "count" | "self" | "isRedisThere">;
  /** What keeps the server from working, each with its reason; none when it can. */
  findObstacles(): Promise<readonly Obstacle[]>;
}
