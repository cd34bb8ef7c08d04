interface SparklineProps {
  readonly label: string;
  readonly values: readonly number[];
  /** What it may use at most. */
  readonly most: number;
  /** The latest value, in words. */
  readonly text: string;
}

const WIDTH = 100;
const HEIGHT = 30;
const POINTS = 60;

/** The last values as a line that comes in from the right. Its top is what was highest, so that changes are seen. */
export function Sparkline({ label, values, most, text }: SparklineProps) {
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
