import plotly from "plotly.js-dist-min";
import type { Drawing } from "./messages.ts";

export async function draw(
  element: HTMLElement,
  spec: Readonly<Record<string, unknown>>,
  { isDark }: { isDark: boolean },
): Promise<Drawing> {
  const { data = [], layout = {}, frames = [] } = spec;
  if (!Array.isArray(data)) throw new TypeError("data is not a list of traces");
  const config = {
    responsive: true,
    displaylogo: false,
    modeBarButtonsToRemove: ["toImage", "sendDataToCloud"],
    // Maps and uploads would need the network.
    topojsonURL: "",
    plotlyServerURL: "",
  };
  const look = dress(layout as Readonly<Record<string, unknown>>, isDark);
  await plotly.newPlot(element, { data, layout: look, frames, config });
  return {
    toPng: () => plotly.toImage(element, { format: "png", scale: 2, width: null, height: null }),
    end: () => plotly.purge(element),
  };
}

const dark = { ground: "#101315", text: "#e6ecec", line: "#343c40" };

/** Dark colours for everything that the chart does not set; its default template is made for white. */
function dress(layout: Readonly<Record<string, unknown>>, isDark: boolean): object {
  const base = { autosize: true, margin: { t: layout["title"] ? 56 : 24, r: 24, b: 48, l: 56 } };
  if (!isDark) return { ...base, ...layout };
  const axes = new Set(["xaxis", "yaxis", ...Object.keys(layout).filter((key) => /^[xy]axis\d+$/.test(key))]);
  const lines = { gridcolor: dark.line, zerolinecolor: dark.line, linecolor: dark.line };
  return {
    ...base,
    paper_bgcolor: dark.ground,
    plot_bgcolor: dark.ground,
    ...layout,
    font: { color: dark.text, ...(layout["font"] as object | undefined) },
    ...Object.fromEntries(
      [...axes].map((axis) => [axis, { ...lines, ...(layout[axis] as object | undefined) }]),
    ),
  };
}
