import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** A folder of `templates/`: a Dockerfile and what `template.json` says of it. */
export interface Template {
  readonly name: string;
  readonly description: string;
  /** The image's name, without a tag. */
  readonly image: string;
  /** What it is built from where a registry can be reached. */
  readonly base: string;
  /** Packages of Debian that make a base of the same kind where none can. */
  readonly localBase: readonly string[];
  /** The lock file of its Python packages, from the root of the repository. Absent: it has none. */
  readonly requirements?: string;
  readonly folder: string;
}

const templatesFolder = join(import.meta.dirname, "../../templates");

export async function listTemplates(): Promise<string[]> {
  const entries = await readdir(templatesFolder, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
}

export async function readTemplate(name: string): Promise<Template> {
  const folder = join(templatesFolder, name);
  const text = await readFile(join(folder, "template.json"), "utf8").catch(() => undefined);
  if (text === undefined)
    throw new Error(`there is no template ${name}; there are: ${(await listTemplates()).join(", ")}`);
  return { ...(JSON.parse(text) as Omit<Template, "folder">), folder };
}
