import type { Driver } from "../../contract/driver.ts";
import type { SandboxHandle } from "../../contract/sandbox.ts";
import { findDataDir } from "../_shared/create-options.ts";

/**
 * For tests: a driver that gives what another gives, with less in it. It keeps its sandboxes in a folder of its own, so
 * that both can have one of the same id, and its kernels lack these modules, as those of Pyodide may.
 */
export function limitDriver(driver: Driver, lacking: readonly string[]): Driver {
  const place = <Options extends { dataDir?: string }>(options: Options) => ({
    ...options,
    dataDir: `${findDataDir(options.dataDir)}/light`,
  });
  const limit = (handle: SandboxHandle) => {
    const { run } = handle.python;
    handle.python.run = async (code, options) => {
      const { context } = options ?? {};
      await run(hide(lacking), { ...(context !== undefined && { context }) });
      return run(code, options);
    };
    return handle;
  };
  return {
    ...driver,
    name: "limited",
    create: async (options) => limit(await driver.create(place(options))),
    attach: async (id, options = {}) => limit(await driver.attach(id, place(options))),
    list: (options = {}) => driver.list(place(options)),
  };
}

function hide(lacking: readonly string[]): string {
  return `
import sys as _sys
if not any(type(finder).__name__ == "_Lacking" for finder in _sys.meta_path):
    class _Lacking:
        names = set(${JSON.stringify(lacking)})
        def find_spec(self, name, path=None, target=None):
            if name.partition(".")[0] in self.names:
                raise ModuleNotFoundError(f"No module named {name!r}", name=name)
    _sys.meta_path.insert(0, _Lacking())
    for _name in [name for name in _sys.modules if name.partition(".")[0] in _Lacking.names]:
        del _sys.modules[_name]
    del _Lacking
    _name = None
    del _name
del _sys
`;
}
