import { makeNotice, type Notice } from "@atoll/protocol";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { findAssets } from "./assets.ts";
import { packageFolder } from "./distribution.ts";

interface LockedPackage {
  readonly name: string;
  readonly imports: readonly string[];
}

/** What code for data wants most often: what a caller is told of before it runs any. */
const usual = ["numpy", "pandas", "matplotlib", "scipy", "scikit-learn", "seaborn", "pyarrow", "openpyxl"];

let known: Readonly<Record<string, string>> | undefined;

/**
 * Import name → package, of those that there are for Pyodide and not in this interpreter, which has the standard
 * library and what set-up has fetched.
 */
export function absentPackages(): Readonly<Record<string, string>> {
  known ??= readAbsent();
  return known;
}

export function usualAbsentPackages(): readonly string[] {
  const absent = new Set(Object.values(absentPackages()));
  return usual.filter((name) => absent.has(name));
}

/** What there is beside the standard library, by import name. */
export function wheelModules(): string[] {
  return findAssets().wheels.flatMap(({ modules }) => modules);
}

/** For the reader of a run that wanted one. */
export function describeAbsence(moduleName: string): Notice | undefined {
  const name = absentPackages()[moduleName.split(".")[0] ?? ""];
  return name === undefined ? undefined : makeNotice("package_absent", { name });
}

function readAbsent(): Record<string, string> {
  const lock = JSON.parse(readFileSync(join(packageFolder(), "pyodide-lock.json"), "utf8")) as {
    packages: Record<string, LockedPackage>;
  };
  const locked = Object.values(lock.packages).filter(({ name }) => !name.endsWith("-tests"));
  const named = locked.flatMap(({ name, imports }) =>
    imports.map((each) => [each.split(".")[0] ?? each, name]),
  );
  const present = new Set(wheelModules());
  const all = Object.entries({ ...Object.fromEntries(named), ...alsoWanted } as Record<string, string>);
  return Object.fromEntries(all.filter(([module]) => !present.has(module)));
}

/** Wanted as often, and built by nobody for this platform. */
const alsoWanted = { seaborn: "seaborn", openpyxl: "openpyxl", IPython: "ipython", torch: "torch" };
