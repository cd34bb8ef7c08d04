import type { SandboxLimits, SandboxMetrics } from "@atoll/client";
import { useEffect, useState } from "react";
import { useTexts } from "../../i18n/language.tsx";
import { useFormat } from "../../ui/format.ts";

/** The sandbox's recent use of its limits. */
export function Meters({
  threadId,
  metrics,
  limits,
}: {
  threadId: string;
  metrics: SandboxMetrics;
  limits: SandboxLimits;
}) {
  const texts = useTexts();
  const format = useFormat();
  const history = useMetricsHistory(threadId, metrics);
  const cpus = limits["cpus"] ?? 1;
  const share = (used: number, most: number) => `${format.bytes(used)} / ${format.bytes(most)}`;
  return (
    <>
      <Sparkline
        label={texts.processor}
        values={history.cpuPercent}
        most={cpus * 100}
        text={`${format.number(Math.round(history.cpuPercent.at(-1) ?? 0))} %`}
      />
      <Sparkline
        label={texts.memory}
        values={history.memoryBytes}
        most={metrics.memory_limit_bytes}
        text={share(metrics.memory_bytes, metrics.memory_limit_bytes)}
      />
      <Sparkline
        label={texts.disk}
        values={history.diskBytes}
        most={metrics.disk_limit_bytes}
        text={share(metrics.disk_bytes, metrics.disk_limit_bytes)}
      />
      <dl className="facts">
        <dt>{texts.processes}</dt>
        <dd>{format.number(metrics.processes)}</dd>
        <dt>{texts.upSince}</dt>
        <dd>{format.duration(metrics.uptime_ms)}</dd>
      </dl>
    </>
  );
}

interface SparklineProps {
  readonly label: string;
  readonly values: readonly number[];
  /** The limit. */
  readonly most: number;
  /** The latest value, formatted. */
  readonly text: string;
}

const WIDTH = 100;
const HEIGHT = 30;
const POINTS = 60;

/** The last values as a line that enters from the right, scaled to the highest so that changes show. */
function Sparkline({ label, values, most, text }: SparklineProps) {
  const last = values.at(-1) ?? 0;
  const top = Math.max(most / 50, ...values) * 1.1;
  const points = values.map((value, at) => {
    const x = WIDTH - ((values.length - 1 - at) / (POINTS - 1)) * WIDTH;
    return `${x.toFixed(2)},${(HEIGHT - 1 - (value / top) * (HEIGHT - 2)).toFixed(2)}`;
  });
  const first = points[0]?.split(",")[0] ?? WIDTH;
  const isHigh = most > 0 && last / most > 0.85;
  return (
    <div className={`gauge ${isHigh ? "high" : ""}`} role="group" aria-label={`${label}: ${text}`}>
      <span className="row">
        <span className="spread">{label}</span> <span className="quiet">{text}</span>
      </span>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" className="sparkline" aria-hidden>
        {points.length > 1 ? (
          <>
            <polygon points={`${first},${HEIGHT} ${points.join(" ")} ${WIDTH},${HEIGHT}`} />
            <polyline points={points.join(" ")} />
          </>
        ) : null}
      </svg>
    </div>
  );
}

const KEPT = 60;

interface Sample {
  readonly atMs: number;
  readonly metrics: SandboxMetrics;
}

interface MetricsHistory {
  /** Share of one core between two samples. */
  readonly cpuPercent: readonly number[];
  readonly memoryBytes: readonly number[];
  readonly diskBytes: readonly number[];
}

/** The samples of a sandbox so far. They outlive the panel that shows them. */
const kept = new Map<string, readonly Sample[]>();

function useMetricsHistory(threadId: string, metrics: SandboxMetrics): MetricsHistory {
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
