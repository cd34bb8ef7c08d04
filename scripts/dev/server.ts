// The server of `npm run dev`, until its parent tells it to end, or is gone. The page's folder is read at each request.
import { once } from "node:events";
import { ConfigError, exportToDrivers, loadConfig, startServer } from "@atoll/server";

// From before the start: a signal in between lets it start, and then end in good order.
const ending = Promise.race([once(process, "SIGTERM"), once(process, "disconnect")]);

const pageFolder = process.argv[2];
try {
  const config = loadConfig();
  for (const warning of config.warnings) console.warn(`atoll: ${warning}`);
  exportToDrivers(config);
  const server = await startServer(config, pageFolder === undefined ? {} : { livePage: pageFolder });
  console.log(`Atoll is ready: ${server.loginUrl ?? `${server.url}/ui`}`);
  await ending;
  await server.close();
  process.exit(0);
} catch (error) {
  // A mistake in the settings needs no stack.
  console.error(error instanceof ConfigError ? `atoll: ${error.message}` : error);
  process.exit(1);
}
