import { lazy } from "react";

/** Inside of a `Suspense`. */
export const LazyEditor = lazy(async () => ({ default: (await import("./editor.tsx")).Editor }));
