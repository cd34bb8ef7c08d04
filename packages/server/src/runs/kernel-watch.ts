import type { Sandbox } from "@atoll/sandbox";

/** The same sandbox; tells when a run has met, or left behind, a kernel without the variables of before. */
export function watchKernel(sandbox: Sandbox, onNewKernel: () => void): Sandbox {
  const run: Sandbox["python"]["run"] = async (code, options) => {
    const result = await sandbox.python.run(code, options);
    if (result.kernelRestarted && (options?.context ?? "default") === "default") onNewKernel();
    return result;
  };
  return {
    ...sandbox,
    get python() {
      return new Proxy(sandbox.python, {
        get: (python, name) => (name === "run" ? run : Reflect.get(python, name)),
      });
    },
  };
}
