export { type Config, loadConfig } from "./config.ts";
export { exportToDrivers } from "./environment.ts";
export { ConfigError } from "./config-error.ts";
export { variables } from "./variables.ts";
