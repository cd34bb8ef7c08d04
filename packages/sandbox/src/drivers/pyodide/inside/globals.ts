const permissions = ["fs.read", "fs.write", "child", "worker", "addon", "inspector", "wasi"];

/** What else JavaScript in this process could use, if any of it could be reached: it is not there. */
export function closeGlobals(): void {
  for (const name of Object.getOwnPropertyNames(globalThis).filter(leadsOut))
    Reflect.deleteProperty(globalThis, name);
  for (const name of [
    "binding",
    "_linkedBinding",
    "dlopen",
    "getBuiltinModule",
    "kill",
    "chdir",
    "mainModule",
  ])
    Object.defineProperty(process, name, { value: undefined });
  for (const name of Object.keys(process.env)) Reflect.deleteProperty(process.env, name);
}

/** The interpreter has all it needs in memory by now. */
export function dropPermissions(): void {
  for (const scope of permissions)
    (process.permission as unknown as { drop(scope: string): void } | undefined)?.drop(scope);
}

function leadsOut(name: string): boolean {
  return /^(fetch|WebSocket|EventSource|XMLHttpRequest|Worker|BroadcastChannel|MessageChannel|navigator|localStorage|sessionStorage|eval|Function)$/.test(
    name,
  );
}
