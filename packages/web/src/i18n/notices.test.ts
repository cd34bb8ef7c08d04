import { makeNotice, type Notice, NOTICE_CODES, sayNotice } from "@atoll/protocol";
import { describe, expect, it } from "vitest";
import { en } from "./en.ts";
import { languages } from "./language.tsx";
import { zh } from "./zh.ts";

/** A notice, and how it is said in English and in Chinese. */
const examples: readonly (readonly [Notice, string, string])[] = [
  [
    makeNotice("timeout", { seconds: 0.5 }),
    "Stopped after 0.5 s (timeoutMs).",
    "运行 0.5 秒后被停止（timeoutMs）。",
  ],
  [makeNotice("stopped", {}), "Stopped.", "已停止。"],
  [makeNotice("stopped_by_caller", {}), "Stopped by the caller.", "已被调用方停止。"],
  [
    makeNotice("disk_stopped", { limit: "64 MiB" }),
    "Stopped: the sandbox's disk limit of 64 MiB is reached (diskBytes).",
    "已停止：达到沙盒的磁盘上限 64 MiB（diskBytes）。",
  ],
  [
    makeNotice("disk_full", { limit: "64 MiB" }),
    "The disk limit of 64 MiB is reached (diskBytes): nothing can be written until files are removed.",
    "已达到磁盘上限 64 MiB（diskBytes）：删除文件之前无法写入。",
  ],
  [
    makeNotice("memory", { limit: "1024 MiB" }),
    "The memory limit of 1024 MiB was reached (memoryBytes).",
    "已达到内存上限 1024 MiB（memoryBytes）。",
  ],
  [
    makeNotice("kernel_restarted", {}),
    "The kernel was restarted: its variables are lost, files are kept.",
    "内核已重启：变量已丢失，文件仍在。",
  ],
  [
    makeNotice("kernel_ended", {}),
    "The kernel had ended since the last run: its variables are lost, files are kept.",
    "内核在上次运行后已退出：变量已丢失，文件仍在。",
  ],
  [
    makeNotice("output_cut", { bytes: 1_000_000, stream: "stdout" }),
    "Output was cut: only the first 1000000 bytes of stdout are here (outputBytes).",
    "输出已截断：此处只有 stdout 的前 1000000 字节（outputBytes）。",
  ],
  [
    makeNotice("package_absent", { name: "numpy" }),
    "The package numpy is not there for Python in WebAssembly (runtime pyodide): no build of it for this platform could be had. Code that needs it runs with the CPython runtimes (local, docker): set SANDBOX_RUNTIME.",
    "WebAssembly 中的 Python（运行时 pyodide）没有软件包 numpy：找不到适用于该平台的版本。需要它的代码请在 CPython 运行时（local、docker）中运行：请设置 SANDBOX_RUNTIME。",
  ],
  [
    makeNotice("javascript_closed", { name: "eval" }),
    "The code reached for JavaScript (eval), which is closed: its interpreter was ended.",
    "代码试图访问已关闭的 JavaScript（eval）：解释器已被终止。",
  ],
  [
    makeNotice("run_again", { reason: "Pyodide has no module numpy", runtime: "CPython" }),
    "Pyodide has no module numpy. The code was run again in CPython, from the start.",
    "代码已在 CPython 中从头重新运行。",
  ],
  [
    makeNotice("not_run_again", {
      reason: "Pyodide ran out of memory",
      runtime: "CPython",
      blocker: "its variables could not be saved before it began",
    }),
    "Pyodide ran out of memory, and the code was not run again in CPython because its variables could not be saved before it began. Run it again: it goes to CPython then.",
    "代码没有在 CPython 中重新运行（its variables could not be saved before it began）。请再次运行：届时将使用 CPython。",
  ],
  [
    makeNotice("variable_left_behind", {
      name: "lock",
      type: "_thread.lock",
      runtime: "CPython",
      reason: "cannot pickle it",
    }),
    "lock (_thread.lock) could not be brought to CPython: cannot pickle it.",
    "变量 lock（_thread.lock）无法带到 CPython：cannot pickle it。",
  ],
  [makeNotice("other", { text: "Something new." }), "Something new.", "Something new."],
];

describe("a notice about a run", () => {
  it.each(examples)("is said in every language: $code", (notice, english, chinese) => {
    expect(notice.text).toBe(english);
    expect(sayNotice(notice, en.notices)).toBe(english);
    expect(sayNotice(notice, zh.notices)).toBe(chinese);
  });

  it.each(Object.entries(languages))("has a phrase for every code in %s", (_, texts) => {
    expect(Object.keys(texts.notices).toSorted()).toEqual(NOTICE_CODES.toSorted());
  });
});
