import { pyodideDriver } from "@atoll/sandbox";
import { describeDenials } from "./denials.ts";

// The usual six seconds are for users: on a busy machine a large value takes longer.
process.env["SANDBOX_TIMEOUT_S"] = "60";

describeDenials(pyodideDriver, "none");
