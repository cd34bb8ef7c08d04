import { getInstanceByDom, init } from "echarts";
import type { Drawing } from "./messages.ts";

export async function draw(
  element: HTMLElement,
  spec: Readonly<Record<string, unknown>>,
  { isDark }: { isDark: boolean },
): Promise<Drawing> {
  getInstanceByDom(element)?.dispose();
  const chart = init(element, isDark ? "dark" : undefined);
  const resize = () => chart.resize();
  addEventListener("resize", resize);
  const end = () => {
    removeEventListener("resize", resize);
    chart.dispose();
  };
  try {
    chart.setOption({ backgroundColor: "transparent", ...spec });
  } catch (error) {
    end();
    throw error;
  }
  return {
    toPng: async () =>
      chart.getDataURL({ type: "png", pixelRatio: 2, backgroundColor: isDark ? "#101315" : "#fff" }),
    end,
  };
}
