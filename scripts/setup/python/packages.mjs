import { mkdirSync } from "node:fs";
import { runCommand } from "../command.mjs";

/**
 * What every sandbox can import: the name in python/requirements.in, the module it gives, and Debian's
 * package of it. Debian 12 has no pyarrow.
 * @type {{ name: string, module: string, debian?: string }[]}
 */
export const PYTHON_PACKAGES = [
  { name: "ipython", module: "IPython", debian: "python3-ipython" },
  { name: "numpy", module: "numpy", debian: "python3-numpy" },
  { name: "pandas", module: "pandas", debian: "python3-pandas" },
  { name: "matplotlib", module: "matplotlib", debian: "python3-matplotlib" },
  { name: "seaborn", module: "seaborn", debian: "python3-seaborn" },
  { name: "scipy", module: "scipy", debian: "python3-scipy" },
  { name: "scikit-learn", module: "sklearn", debian: "python3-sklearn" },
  { name: "pyarrow", module: "pyarrow" },
  { name: "openpyxl", module: "openpyxl", debian: "python3-openpyxl" },
  { name: "pypdf", module: "pypdf", debian: "python3-pypdf" },
  { name: "cloudpickle", module: "cloudpickle", debian: "python3-cloudpickle" },
];

/**
 * Imports every package for real, and on the way lets matplotlib write its font cache.
 * @param {string} python
 * @param {string} mplConfigDir
 * @returns {Promise<string[]>} the names of those that cannot be imported
 */
export async function findMissingPackages(python, mplConfigDir) {
  mkdirSync(mplConfigDir, { recursive: true });
  const modules = PYTHON_PACKAGES.map(({ module }) => module);
  const { output } = await runCommand(python, ["-I", "-c", IMPORT_ALL, ...modules], {
    env: { MPLCONFIGDIR: mplConfigDir, MPLBACKEND: "agg" },
    timeoutMs: 300_000,
  });
  const imported = output
    .split("\n")
    .flatMap((line) => (line.startsWith("imported ") ? [line.slice(9)] : []));
  return PYTHON_PACKAGES.filter(({ module }) => !imported.includes(module)).map(({ name }) => name);
}

const IMPORT_ALL = `
import importlib, sys
for name in sys.argv[1:]:
    try:
        importlib.import_module(name)
        if name == "matplotlib":
            importlib.import_module("matplotlib.font_manager")
        print("imported", name, flush=True)
    except Exception:
        pass
`;
