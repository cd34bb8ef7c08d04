import { describeConformance } from "../../conformance/index.ts";
import { openRoutedDriver } from "./default-driver.ts";

// The usual limits are for users: the suite carries larger files, opens more of them and runs on busy machines.
process.env["SANDBOX_TIMEOUT_S"] = "60";
process.env["CPYTHON_FSIZE_MB"] = "1024";
process.env["CPYTHON_NOFILE"] = "1024";

describeConformance(await openRoutedDriver("local"));
