import type { SandboxMetrics } from "@atoll/client";
import { useEffect, useState } from "react";

const KEPT = 60;

interface Sample {
  readonly atMs: number;
  readonly metrics: SandboxMetrics;
}

export interface MetricsHistory {
  /** Of one core, between two looks. */
  readonly cpuPercent: readonly number[];
  readonly memoryBytes: readonly number[];
  readonly diskBytes: readonly number[];
}

/** What the looks at a sandbox have shown so far. It outlives the panel that shows it. */
const kept = new Map<string, readonly Sample[]>();

export function useMetricsHistory(threadId: string, metrics: SandboxMetrics): MetricsHistory {
  const [, again] = useState<SandboxMetrics>();
  useEffect(() => {
    const before = kept.get(threadId) ?? [];
    if (before.at(-1)?.metrics === metrics) return;
    kept.set(threadId, [...before.slice(1 - KEPT), { atMs: performance.now(), metrics }]);
    again(metrics);
  }, [threadId, metrics]);
  const samples = kept.get(threadId) ?? [];
  return {
    memoryBytes: samples.map((sample) => sample.metrics.memory_bytes),
    diskBytes: samples.map((sample) => sample.metrics.disk_bytes),
    cpuPercent: samples.slice(1).map((sample, index) => {
      const before = samples[index];
      if (!before) return 0;
      const usedMs = sample.metrics.cpu_ms - before.metrics.cpu_ms;
      return Math.max(0, (usedMs / Math.max(1, sample.atMs - before.atMs)) * 100);
    }),
  };
}
