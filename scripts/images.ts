// `npm run images`: builds the images of `templates/` on the engine that `docker` talks to. What is there already, as it
// would come out, is left alone.
//   npm run images -- python-data-science            only this one
//   npm run images -- --base registry.example/python:3.13   from another base
import { parseArgs } from "node:util";
import { buildTemplate } from "./images/build.ts";
import { ask } from "./images/docker-command.ts";
import { listTemplates } from "./images/template.ts";

const { values, positionals } = parseArgs({ options: { base: { type: "string" } }, allowPositionals: true });

if ((await ask("docker", ["version", "--format", "{{.Server.Version}}"])) === undefined) {
  console.error("no Docker engine answers: start it, or set DOCKER_HOST to its socket");
  process.exitCode = 1;
} else {
  const say = (text: string) => console.error(`[images] ${text}`);
  for (const name of positionals.length > 0 ? positionals : await listTemplates()) {
    const image = await buildTemplate(name, {
      say,
      base: values.base,
      onLine: (line) => console.error(`  ${line}`),
    });
    console.log(`${name}: ${image}`);
  }
}
