import { monitorEventLoopDelay } from "node:perf_hooks";
import { countDefects } from "../../last-resort.ts";
import type { Forwarding } from "../forwarding/forwarding.ts";
import type { Services } from "../services.ts";
import type { Channels } from "../sse/channels.ts";
import type { Counters } from "./counters.ts";

/** The text that Prometheus reads. */
export async function renderMetrics(parts: {
  services: Services;
  counters: Counters;
  channels: Channels;
  lag: EventLoopLag;
  forwarding?: Forwarding | undefined;
}): Promise<string> {
  const { services, counters, channels, lag, forwarding } = parts;
  const lines: string[] = [];
  const add = (name: string, type: string, help: string, samples: Iterable<string>) =>
    lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...samples);

  const requests = [...counters.requests].map(
    ([labels, count]) => `atoll_http_requests_total{${labels}} ${count}`,
  );
  add("atoll_http_requests_total", "counter", "Requests by route and status", requests);
  const latency = "atoll_http_request_duration_seconds";
  add(latency, "histogram", "From the request to the start of its answer", counters.latency.lines(latency));
  add("atoll_sse_readers", "gauge", "Open event streams", [`atoll_sse_readers ${channels.count}`]);
  add("atoll_uploaded_bytes_total", "counter", "Bytes of uploads taken", [
    `atoll_uploaded_bytes_total ${counters.uploadedBytes}`,
  ]);
  add("atoll_threads", "gauge", "Threads kept", [`atoll_threads ${await services.threads.count()}`]);
  const runs = Object.entries(services.countRuns?.() ?? {}).map(
    ([status, count]) => `atoll_runs_total{status="${status}"} ${count}`,
  );
  add("atoll_runs_total", "counter", "Runs by how they ended", runs);
  add("atoll_sandboxes", "gauge", "Sandboxes by owner and state", await countSandboxes(services));
  for (const counts of [services.sandboxCounts, services.egressCounts])
    for (const { name, type, help, samples } of counts?.families() ?? []) add(name, type, help, samples);
  add("atoll_event_loop_lag_seconds", "gauge", "How late the event loop is", [
    `atoll_event_loop_lag_seconds{quantile="0.5"} ${lag.percentile(50) / 1e9}`,
    `atoll_event_loop_lag_seconds{quantile="0.99"} ${lag.percentile(99) / 1e9}`,
  ]);
  add("atoll_defects_total", "counter", "Failures that only the last resort caught; the log says which", [
    `atoll_defects_total ${countDefects()}`,
  ]);
  for (const figure of countCluster(services, forwarding)) add(...figure);
  const { rss, heapUsed } = process.memoryUsage();
  add("process_resident_memory_bytes", "gauge", "Memory of the server's process", [
    `process_resident_memory_bytes ${rss}`,
  ]);
  add("nodejs_heap_used_bytes", "gauge", "JavaScript heap in use", [`nodejs_heap_used_bytes ${heapUsed}`]);
  add("process_uptime_seconds", "gauge", "Since the start", [`process_uptime_seconds ${process.uptime()}`]);
  return `${lines.join("\n")}\n`;
}

type Figure = [name: string, type: string, help: string, samples: readonly string[]];

function countCluster({ cluster }: Services, forwarding: Forwarding | undefined): Figure[] {
  if (!cluster) return [];
  const { servers, threads, sandboxes } = cluster.count();
  const leases = "atoll_cluster_leases";
  return [
    [
      "atoll_cluster_redis_up",
      "gauge",
      "Whether Redis answers",
      [`atoll_cluster_redis_up ${Number(cluster.isRedisThere)}`],
    ],
    ["atoll_cluster_servers", "gauge", "Servers that live", [`atoll_cluster_servers ${servers}`]],
    [
      leases,
      "gauge",
      "What this server has",
      [`${leases}{kind="thread"} ${threads}`, `${leases}{kind="sandbox"} ${sandboxes}`],
    ],
    [
      "atoll_cluster_forwarded_total",
      "counter",
      "Requests that another server answered",
      [`atoll_cluster_forwarded_total ${forwarding?.forwarder.count ?? 0}`],
    ],
  ];
}

export type EventLoopLag = ReturnType<typeof monitorEventLoopDelay>;

export function watchEventLoop(): EventLoopLag {
  const lag = monitorEventLoopDelay({ resolution: 20 });
  lag.enable();
  return lag;
}

/** Of threads, the thousand used last: those before them are cold. */
async function countSandboxes({ threads, threadSandboxes, apiSandboxes }: Services): Promise<string[]> {
  const states = { hot: 0, warm: 0, cold: 0 };
  const latest = await threads.list({ limit: 1000 });
  for (const { id } of latest.threads) states[threadSandboxes.state(id)] += 1;
  states.cold += Math.max(0, (await threads.count()) - 1000);
  return [
    ...Object.entries(states).map(
      ([state, count]) => `atoll_sandboxes{owner="thread",state="${state}"} ${count}`,
    ),
    `atoll_sandboxes{owner="program",state="held"} ${apiSandboxes.heldCount}`,
  ];
}
