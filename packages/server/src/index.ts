export { type Config, ConfigError, loadConfig } from "./config/index.ts";
export { type RunningServer, startServer } from "./start.ts";
