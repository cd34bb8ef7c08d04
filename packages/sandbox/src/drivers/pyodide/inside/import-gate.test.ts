import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, it, onTestFinished } from "vitest";
import { installGate, isHarmless } from "./import-gate.ts";

type Functions = Record<string, (...args: number[]) => unknown>;
declare const WebAssembly: { instantiate(source: unknown, imports: { env: Functions }): unknown };

it("lets everything through while it is open, and afterwards only what is harmless", () => {
  const { instantiate } = WebAssembly;
  onTestFinished(() => void (WebAssembly.instantiate = instantiate));
  const called: string[] = [];
  const env: Functions = {
    fd_write: () => called.push("fd_write"),
    emscripten_run_script: () => called.push("emscripten_run_script"),
    __syscall_connect: () => called.push("__syscall_connect"),
    emscripten_resize_heap: () => called.push("emscripten_resize_heap"),
  };
  WebAssembly.instantiate = () => undefined;
  const gate = installGate(
    {
      always: { emscripten_resize_heap: () => () => "replaced" },
      onceClosed: { __syscall_connect: () => -2 },
    },
    (name) => {
      throw new Error(`reached for ${name}`);
    },
  );
  // Emscripten resolves symbols of libraries in the same object: it has to be this one that is changed.
  WebAssembly.instantiate(undefined, { env });
  for (const name of Object.keys(env)) env[name]?.();
  expect(called).toEqual(["fd_write", "emscripten_run_script", "__syscall_connect"]);

  gate.close();
  called.length = 0;
  env["fd_write"]?.();
  expect(called).toEqual(["fd_write"]);
  expect(env["__syscall_connect"]?.()).toBe(-2);
  expect(env["emscripten_resize_heap"]?.()).toBe("replaced");
  expect(() => env["emscripten_run_script"]?.()).toThrow("reached for emscripten_run_script");
  expect(called).toEqual(["fd_write"]);
});

it("takes nothing for harmless that reaches into JavaScript, runs scripts, loads libraries or connects", () => {
  const module = createRequire(import.meta.url).resolve("pyodide/pyodide.asm.mjs");
  const list = /wasmImports=\{(.*?)\};/s.exec(readFileSync(module, "utf8"))?.[1] ?? "";
  const names = list.split(",").map((entry) => entry.split(":")[0]?.trim() ?? "");
  expect(names.length).toBeGreaterThan(1000);
  const reaching =
    /^_?(Js|js|py(thon|proxy|odide)|hiwire|_hiwire)|run_script|asm_const|dlopen|dlsym|websocket|wget|fetch|_worker|promise|connect|sendto|sendmsg|bind$|listen|accept|proxy|console|callstack|system/;
  const allowed = names.filter((name) => isHarmless(name) && reaching.test(name));
  expect(allowed.filter((name) => !["JsvError_Check", "Jsv_GetError_import"].includes(name))).toEqual([]);
  expect(names.filter(isHarmless).length).toBeGreaterThan(50);
});
