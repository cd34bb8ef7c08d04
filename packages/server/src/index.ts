export { type Config, ConfigError, exportToDrivers, loadConfig } from "./config/index.ts";
export { type RunningServer, startServer } from "./start.ts";
