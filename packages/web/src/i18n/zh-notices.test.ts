import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sayNoticeInChinese } from "./zh-notices.ts";

const packages = join(import.meta.dirname, "../../..");
const supervisor = "guest/atoll_guest/supervisor";
const drivers = "sandbox/src/drivers";

/** A notice, what of it stands so in the source that says it, that source, and how it is said in Chinese. */
const notices = [
  [
    "Stopped after 0.5 s (timeoutMs).",
    "Stopped after ",
    `${supervisor}/kernels/python_calls.py`,
    "运行 0.5 秒后被停止（timeoutMs）。",
  ],
  ["Stopped.", "Stopped.", "agent/src/calls/run-call.ts", "已停止。"],
  [
    "Stopped by the caller.",
    "Stopped by the caller.",
    `${supervisor}/commands/commands.py`,
    "已被调用方停止。",
  ],
  [
    "Stopped: the sandbox's disk limit of 64 MiB is reached (diskBytes).",
    "is reached (diskBytes).",
    `${supervisor}/limits/disk.py`,
    "已停止：达到沙盒的磁盘上限 64 MiB（diskBytes）。",
  ],
  [
    "The disk limit of 64 MiB is reached (diskBytes): nothing can be written until files are removed.",
    "is reached (diskBytes): nothing can be written until files are removed.",
    `${supervisor}/limits/disk.py`,
    "已达到磁盘上限 64 MiB（diskBytes）：删除文件之前无法写入。",
  ],
  [
    "The memory limit of 1024 MiB was reached (memoryBytes).",
    " MiB was reached (memoryBytes).",
    `${supervisor}/kernels/python_calls.py`,
    "已达到内存上限 1024 MiB（memoryBytes）。",
  ],
  [
    "The kernel was restarted: its variables are lost, files are kept.",
    "The kernel was restarted: its variables are lost, files are kept.",
    `${supervisor}/kernels/python_calls.py`,
    "内核已重启：变量已丢失，文件仍在。",
  ],
  [
    "The kernel had ended since the last run: its variables are lost, files are kept.",
    "The kernel had ended since the last run: its variables are lost, files are kept.",
    `${supervisor}/kernels/python_calls.py`,
    "内核在上次运行后已退出：变量已丢失，文件仍在。",
  ],
  [
    "Output was cut: only the first 1000000 bytes of stdout are here (outputBytes).",
    "Output was cut: only the first ",
    `${supervisor}/output.py`,
    "输出已截断：此处只有 stdout 的前 1000000 字节（outputBytes）。",
  ],
  [
    "The package numpy is not there for Python in WebAssembly (runtime pyodide): no build of it for this platform could be had. Code that needs it runs with the CPython runtimes (local, docker): set SANDBOX_RUNTIME.",
    " is not there for Python in WebAssembly (runtime pyodide)",
    `${drivers}/pyodide/distribution/packages.ts`,
    "WebAssembly 中的 Python（运行时 pyodide）没有软件包 numpy：找不到适用于该平台的版本。需要它的代码请在 CPython 运行时（local、docker）中运行：请设置 SANDBOX_RUNTIME。",
  ],
  [
    "The code reached for JavaScript (eval), which is closed: its interpreter was ended.",
    "), which is closed: its interpreter was ended.",
    `${drivers}/pyodide/interpreter/child.ts`,
    "代码试图访问已关闭的 JavaScript（eval）：解释器已被终止。",
  ],
  [
    "Pyodide has no module numpy. The code was run again in CPython, from the start.",
    ". The code was run again in ",
    `${drivers}/routed/python/python.ts`,
    "代码已在 CPython 中从头重新运行。",
  ],
  [
    "Pyodide ran out of memory, and the code was not run again in CPython because its variables could not be saved before it began. Run it again: it goes to CPython then.",
    ", and the code was not run again in ",
    `${drivers}/routed/python/python.ts`,
    "代码没有在 CPython 中重新运行（its variables could not be saved before it began）。请再次运行：届时将使用 CPython。",
  ],
  [
    "lock (_thread.lock) could not be brought to CPython: cannot pickle it.",
    " could not be brought to ",
    `${drivers}/routed/variables/kernels.ts`,
    "变量 lock（_thread.lock）无法带到 CPython：cannot pickle it。",
  ],
] as const;

test.each(notices)("%s", (notice, part, source, inChinese) => {
  expect(notice).toContain(part);
  expect(readFileSync(join(packages, source), "utf8")).toContain(part);
  expect(sayNoticeInChinese(notice)).toBe(inChinese);
});

test("what is not known stays as it was said", () => {
  expect(sayNoticeInChinese("Something new.")).toBe("Something new.");
});
