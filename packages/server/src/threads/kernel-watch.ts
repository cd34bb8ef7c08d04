import { hookCalls, type Sandbox } from "@atoll/sandbox";

export interface KernelWatch {
  /** A run found, or left behind, a kernel without the earlier variables. */
  onNewKernel(): void;
  /** A run was told to stop. Whether its kernel survives is known only when `ending` settles. */
  onStopping(ending: Promise<unknown>): void;
}

/** The same sandbox, which reports what its runs do to the default kernel. */
export function watchKernel(sandbox: Sandbox, watch: KernelWatch): Sandbox {
  return hookCalls(sandbox, {
    aroundPythonRun(run, { context = "default", signal }) {
      const running = run().then((result) => {
        if (result.kernelRestarted && context === "default") watch.onNewKernel();
        return result;
      });
      const stop = () => watch.onStopping(running);
      signal?.addEventListener("abort", stop, { once: true });
      return running.finally(() => signal?.removeEventListener("abort", stop));
    },
  });
}
