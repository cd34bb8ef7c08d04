import { describeConformance } from "../../conformance/index.ts";
import { pyodideDriver } from "./driver.ts";

// The usual six seconds are for users: on a busy machine a large value takes longer.
process.env["SANDBOX_TIMEOUT_S"] = "60";

describeConformance(pyodideDriver, { module: new URL("driver.ts", import.meta.url).href });
