import type { Measure } from "../measure.ts";
import { alive } from "./alive.ts";
import { burst } from "./burst.ts";
import { create } from "./create.ts";
import { docker } from "./docker.ts";
import { files } from "./files.ts";
import { forwarded } from "./forwarded.ts";
import { hot } from "./hot.ts";
import { http } from "./http.ts";
import { lifecycle } from "./lifecycle.ts";
import { page } from "./page.ts";
import { pause } from "./pause.ts";
import { pyodide } from "./pyodide.ts";
import { manyReaders } from "./readers.ts";
import { routed } from "./routed.ts";
import { snapshot } from "./snapshot.ts";
import { ttft } from "./ttft.ts";
import { tti } from "./tti.ts";
import { upload } from "./upload.ts";

/** In the order in which they run: what strains the machine comes last. */
export const measures: readonly Measure[] = [
  tti,
  docker,
  pyodide,
  hot,
  routed,
  http,
  forwarded,
  ttft,
  pause,
  snapshot,
  lifecycle,
  create,
  files,
  page,
  upload,
  burst,
  manyReaders,
  alive,
];
