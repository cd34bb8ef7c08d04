import { localDriver } from "@atoll/sandbox";
import { describeDenials } from "./denials.ts";

describeDenials(localDriver);
