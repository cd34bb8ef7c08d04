import type { KernelResult, VariableList } from "./generated.ts";
import type { CallOptions, Transport } from "./transport.ts";

/** The kernel that a thread's code runs in. */
export interface Kernel {
  /** `busy`: it runs code at this moment. */
  variables(options?: CallOptions): Promise<VariableList>;
  removeVariable(name: string, options?: CallOptions): Promise<void>;
  /** Variables go, files stay, the tables are loaded again. */
  restart(options?: CallOptions): Promise<KernelResult>;
  /** As Ctrl-C would. The run goes on from there. */
  interrupt(options?: CallOptions): Promise<KernelResult>;
}

export function createKernel(transport: Transport, threadId: string): Kernel {
  const params = { thread_id: threadId };
  return {
    variables: ({ signal } = {}) => transport.call("listVariables", { params, signal }),
    async removeVariable(name, { signal } = {}) {
      await transport.call("deleteVariable", { params: { ...params, name }, signal });
    },
    restart: ({ signal } = {}) => transport.call("restartKernel", { params, signal }),
    interrupt: ({ signal } = {}) => transport.call("interruptKernel", { params, signal }),
  };
}
