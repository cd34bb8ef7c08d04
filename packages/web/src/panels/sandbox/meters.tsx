import type { SandboxLimits, SandboxMetrics } from "@atoll/client";
import { useTexts } from "../../i18n/language.tsx";
import { useFormat } from "../../ui/format.ts";
import { Sparkline } from "./sparkline.tsx";
import { useMetricsHistory } from "./use-metrics-history.ts";

/** What the sandbox uses of what it may use, over the last looks at it. */
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
