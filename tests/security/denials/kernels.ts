/**
 * Whose system calls code in a sandbox makes: the host's, or those of a kernel of its own. Some of what is asked of Linux
 * means nothing to gVisor: it shows no host process, has no ambient capabilities, and its priorities and devices are its
 * own. "none": Python in WebAssembly, where there is no system to call.
 */
export type Kernel = "linux" | "gvisor" | "none";
