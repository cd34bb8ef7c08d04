import { lazy } from "react";

/** Use it inside a `Suspense`. */
export const LazyEditor = lazy(async () => ({ default: (await import("./editor.tsx")).Editor }));
