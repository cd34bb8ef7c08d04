// Runs in a frame without an origin. It receives only chart specifications from the page.
import { type Drawing, Elsewhere, type Order, type Report } from "./messages.ts";
import "./frame.css";

const target = document.querySelector<HTMLElement>("#chart");
/** Each library is loaded with the first chart that needs it. */
const libraries = {
  plotly: () => import("./plotly.ts"),
  echarts: () => import("./echarts.ts"),
  vega: () => import("./vega.ts"),
  "vega-lite": () => import("./vega.ts"),
};
const names = { plotly: "Plotly", echarts: "ECharts", vega: "Vega", "vega-lite": "Vega-Lite" };
let drawing: Drawing | undefined;
let turn: Promise<void> = Promise.resolve();

addEventListener("message", ({ source, data }: MessageEvent<Order>) => {
  if (source !== parent || !target) return;
  // One at a time: the theme may change while a chart is being drawn.
  turn = turn.then(() => obey(data, target)).catch(tellFailure);
});
tell({ type: "ready" });

async function obey(order: Order, element: HTMLElement): Promise<void> {
  if (order.type === "png") {
    if (drawing) tell({ type: "png", url: await drawing.toPng() });
    return;
  }
  document.documentElement.dataset["theme"] = order.isDark ? "dark" : "light";
  drawing?.end();
  drawing = undefined;
  element.replaceChildren();
  drawing = await draw(order, element);
  tell({ type: "drawn", heightPx: element.scrollHeight });
}

async function draw(
  { kind, spec, isDark }: Order & { type: "draw" },
  element: HTMLElement,
): Promise<Drawing> {
  if (typeof spec !== "object" || spec === null) throw new TypeError("the chart is not an object");
  const library = await libraries[kind]();
  try {
    return await library.draw(element, spec as Record<string, unknown>, { kind, isDark });
  } catch (error) {
    // Names the library: its messages are about itself as much as about the chart.
    if (error instanceof Error && !(error instanceof Elsewhere))
      error.message = `${names[kind]}: ${error.message}`;
    throw error;
  }
}

function tellFailure(error: unknown): void {
  tell({
    type: "failed",
    reason: error instanceof Elsewhere ? "elsewhere" : "invalid",
    detail: (error instanceof Error ? error.message : String(error)).slice(0, 500),
  });
}

function tell(report: Report): void {
  parent.postMessage(report, "*");
}
