import { ask } from "./docker-command.ts";

/** A package of Debian that is installed on this machine. */
interface HostPackage {
  readonly name: string;
  readonly version: string;
  readonly isEssential: boolean;
  /** Of each, any one will do. */
  readonly needs: readonly (readonly string[])[];
  readonly provides: readonly string[];
}

export interface HostSystem {
  /** Name and version of each, sorted. */
  readonly packages: readonly string[];
  /** All that they brought, directories too, as dpkg knows it. */
  readonly paths: readonly string[];
  /** Settings that are as they came, which a person's own would not be. */
  readonly pristineSettings: ReadonlyMap<string, string>;
}

/** The smallest system that has these packages, out of what is installed here; undefined where something of it is not. */
export async function findHostSystem(wanted: readonly string[]): Promise<HostSystem | undefined> {
  const installed = await listInstalled();
  const chosen = installed && closeOver(wanted, installed);
  if (!chosen) return undefined;
  const names = chosen.map(({ name }) => name);
  const [listed, settings] = await Promise.all([
    ask("dpkg-query", ["--listfiles", ...names]),
    ask("dpkg-query", ["--show", "--showformat", "${Conffiles}\n", ...names]),
  ]);
  if (listed === undefined || settings === undefined) return undefined;
  return {
    packages: chosen.map(({ name, version }) => `${name}=${version}`).toSorted(),
    paths: [...new Set(listed.split("\n").filter((line) => line.startsWith("/")))],
    pristineSettings: new Map(
      Array.from(settings.matchAll(/^ (\/\S+) ([0-9a-f]{32})$/gm), ([, path = "", digest = ""]) => [
        path,
        digest,
      ]),
    ),
  };
}

async function listInstalled(): Promise<HostPackage[] | undefined> {
  const fields = [
    "${binary:Package}",
    "${Version}",
    "${Essential}",
    "${Pre-Depends}, ${Depends}",
    "${Provides}",
    "${db:Status-Status}",
  ];
  const listed = await ask("dpkg-query", ["--show", "--showformat", `${fields.join("\t")}\n`]);
  return listed
    ?.split("\n")
    .map((line) => line.split("\t"))
    .filter((row) => row[5] === "installed")
    .map(([name = "", version = "", essential, needs = "", provides = ""]) => ({
      name,
      version,
      isEssential: essential === "yes",
      needs: splitNames(needs).map((need) => need.split("|").map(bareName)),
      provides: splitNames(provides).map(bareName),
    }));
}

function closeOver(wanted: readonly string[], installed: readonly HostPackage[]): HostPackage[] | undefined {
  const byName = new Map(
    installed.flatMap((one) => [...one.provides, bareName(one.name)].map((name) => [name, one] as const)),
  );
  // A package's own name counts more than another's claim to provide it.
  for (const one of installed) byName.set(bareName(one.name), one);
  const chosen = new Set<HostPackage>();
  const essential = installed.filter((one) => one.isEssential).map(({ name }) => [bareName(name)]);
  const open: (readonly string[])[] = [...essential, ...wanted.map((name) => [name])];
  for (let need = open.pop(); need; need = open.pop()) {
    const found = need.map((name) => byName.get(name)).find((one) => one !== undefined);
    if (!found) return undefined;
    if (!chosen.has(found)) open.push(...found.needs);
    chosen.add(found);
  }
  return [...chosen];
}

function splitNames(list: string): string[] {
  return list
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean);
}

/** Without a version and an architecture. */
function bareName(text: string): string {
  return text.trim().replace(/[\s(:].*$/s, "");
}
