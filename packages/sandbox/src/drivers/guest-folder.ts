import { createRequire } from "node:module";
import { dirname } from "node:path";

/** Where the Python package `atoll_guest` is. */
export const guestFolder = dirname(createRequire(import.meta.url).resolve("@atoll/guest/package.json"));
