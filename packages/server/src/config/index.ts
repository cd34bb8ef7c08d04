export { type Config, loadConfig } from "./config.ts";
export { ConfigError } from "./config-error.ts";
export { variables } from "./variables.ts";
