import embed from "vega-embed";
import { type Drawing, Elsewhere } from "./messages.ts";

type Spec = Readonly<Record<string, unknown>>;

export async function draw(
  element: HTMLElement,
  spec: Spec,
  { kind, isDark }: { kind: string; isDark: boolean },
): Promise<Drawing> {
  const mode = kind === "vega" ? "vega" : "vega-lite";
  let refused: Elsewhere | undefined;
  const refuse = async (address: unknown): Promise<never> => {
    refused ??= new Elsewhere(String(address).slice(0, 300));
    throw refused;
  };
  const sanitize = async (address: string) =>
    /^(data:image\/|#)/i.test(address) ? { href: address } : refuse(address);
  const { view, finalize } = await embed(element, fit(withoutOptions(spec), mode, element) as never, {
    mode,
    actions: false,
    loader: { load: refuse, sanitize, http: refuse, file: refuse } as never,
    config: { background: "transparent" },
    ...(isDark ? { theme: "dark" as const } : {}),
  });
  // Vega treats a table that failed to load as empty.
  if (refused) {
    finalize();
    throw refused;
  }
  return {
    async toPng() {
      view.background(isDark ? "#101315" : "#fff");
      const url = await view.toImageURL("png", 2);
      view.background("transparent");
      return url;
    },
    end: finalize,
  };
}

/** A specification could choose another loader or add menus. */
function withoutOptions(spec: Spec): Spec {
  const { usermeta: _, ...rest } = spec;
  return rest;
}

/** Fills the frame unless the chart sets a size; composed charts have their own sizes. */
function fit(spec: Spec, mode: "vega" | "vega-lite", element: HTMLElement): Spec {
  const autosize = { type: "fit", contains: "padding" };
  if (mode === "vega")
    return { width: element.clientWidth, height: element.clientHeight, padding: 8, autosize, ...spec };
  const hasParts = ["facet", "concat", "hconcat", "vconcat", "repeat"].some((key) => key in spec);
  return hasParts ? spec : { width: "container", height: "container", autosize, ...spec };
}
