import { describeConformance, describeFaults } from "../../conformance/index.ts";
import { hostDriver } from "./driver.ts";

describeConformance(hostDriver, { module: new URL("driver.ts", import.meta.url).href });
describeFaults(hostDriver);
