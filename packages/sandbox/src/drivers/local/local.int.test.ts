import { describeConformance } from "../../conformance/index.ts";
import { localDriver } from "./driver.ts";

describeConformance(localDriver, { module: new URL("driver.ts", import.meta.url).href });
