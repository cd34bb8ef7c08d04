import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import type { Order, Report } from "../../chart-frame/messages.ts";
import { useIsDark } from "../../ui/theme.ts";
import type { ChartSpec } from "./chart-spec.ts";

/** A frame that is silent for longer did not load, or is stuck drawing. */
const PATIENCE_MS = 30_000;

export type ChartState =
  | { readonly is: "loading" }
  | { readonly is: "drawn"; readonly heightPx: number }
  | { readonly is: "failed"; readonly reason: "elsewhere" | "invalid" | "silent"; readonly detail: string };

/** Has a frame draw a chart, again whenever the theme changes. */
export function useChart(frame: RefObject<HTMLIFrameElement | null>, chart: ChartSpec) {
  const isDark = useIsDark();
  const [state, setState] = useState<ChartState>({ is: "loading" });
  const [isReady, setReady] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const pictures = useRef<((url: string) => void)[]>([]);
  const tell = useCallback((order: Order) => frame.current?.contentWindow?.postMessage(order, "*"), [frame]);
  const expectReport = useCallback(() => {
    clearTimeout(timer.current);
    const giveUp = () => setState({ is: "failed", reason: "silent", detail: "" });
    timer.current = setTimeout(giveUp, PATIENCE_MS);
  }, []);
  useEffect(() => {
    const hear = ({ source, data }: MessageEvent<Report>) => {
      if (!frame.current || source !== frame.current.contentWindow) return;
      if (data.type === "png") pictures.current.shift()?.(data.url);
      else if (data.type === "ready") setReady(true);
      else {
        clearTimeout(timer.current);
        const { type: is, ...about } = data;
        setState({ is, ...about } as ChartState);
      }
    };
    addEventListener("message", hear);
    return () => {
      removeEventListener("message", hear);
      clearTimeout(timer.current);
    };
  }, [frame]);
  useEffect(() => {
    if (!isReady) return;
    tell({ type: "draw", ...chart, isDark });
    expectReport();
  }, [isReady, chart, isDark, tell, expectReport]);
  return {
    state,
    /** For the frame's `load` event, which starts the timer. */
    onLoad: () => isReady || expectReport(),
    tryAgain: () => {
      setReady(false);
      setState({ is: "loading" });
    },
    toPng: () =>
      new Promise<string>((resolve) => {
        pictures.current.push(resolve);
        tell({ type: "png" });
      }),
  };
}
