import type { Sandbox } from "@atoll/sandbox";

export interface KernelWatch {
  /** A run has met, or left behind, a kernel without the variables of before. */
  onNewKernel(): void;
  /** A run was told to stop. Only when it has ended is it known whether the kernel has survived it. */
  onStopping(ending: Promise<unknown>): void;
}

/** The same sandbox, with an eye on what becomes of its kernel. */
export function watchKernel(sandbox: Sandbox, watch: KernelWatch): Sandbox {
  const run: Sandbox["python"]["run"] = async (code, options) => {
    const running = sandbox.python.run(code, options).then((result) => {
      if (result.kernelRestarted && (options?.context ?? "default") === "default") watch.onNewKernel();
      return result;
    });
    const stop = () => watch.onStopping(running);
    options?.signal?.addEventListener("abort", stop, { once: true });
    return running.finally(() => options?.signal?.removeEventListener("abort", stop));
  };
  return {
    ...sandbox,
    get info() {
      return sandbox.info;
    },
    get python() {
      return new Proxy(sandbox.python, {
        get: (python, name) => (name === "run" ? run : Reflect.get(python, name)),
      });
    },
  };
}
