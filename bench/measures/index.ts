import type { Measure } from "../measure.ts";
import { alive } from "./alive.ts";
import { burst } from "./burst.ts";
import { create } from "./create.ts";
import { files } from "./files.ts";
import { hot } from "./hot.ts";
import { pause } from "./pause.ts";
import { snapshot } from "./snapshot.ts";
import { tti } from "./tti.ts";

/** In the order in which they run: what strains the machine comes last. */
export const measures: readonly Measure[] = [tti, hot, pause, snapshot, create, files, burst, alive];
