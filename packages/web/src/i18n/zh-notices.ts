/** What a sandbox says of a run beside its output. It says so in English; what is not known here stays as it is. */
export function sayNoticeInChinese(notice: string): string {
  for (const [pattern, say] of phrases) {
    const found = pattern.exec(notice);
    if (found) return say(...found.slice(1).map((part) => part ?? ""));
  }
  return notice;
}

type Say = (...parts: string[]) => string;

const phrases: readonly (readonly [RegExp, Say])[] = [
  [/^Stopped after ([\d.e+]+) s \(timeoutMs\)\.$/, (seconds) => `运行 ${seconds} 秒后被停止（timeoutMs）。`],
  [/^Stopped\.$/, () => "已停止。"],
  [/^Stopped by the caller\.$/, () => "已被调用方停止。"],
  [
    /^Stopped: the sandbox's disk limit of (.+) is reached \(diskBytes\)\.$/,
    (limit) => `已停止：达到沙盒的磁盘上限 ${limit}（diskBytes）。`,
  ],
  [
    /^The disk limit of (.+) is reached \(diskBytes\): nothing can be written until files are removed\.$/,
    (limit) => `已达到磁盘上限 ${limit}（diskBytes）：删除文件之前无法写入。`,
  ],
  [
    /^The memory limit of (.+) was reached \(memoryBytes\)\.$/,
    (limit) => `已达到内存上限 ${limit}（memoryBytes）。`,
  ],
  [
    /^The kernel was restarted: its variables are lost, files are kept\.$/,
    () => "内核已重启：变量已丢失，文件仍在。",
  ],
  [
    /^The kernel had ended since the last run: its variables are lost, files are kept\.$/,
    () => "内核在上次运行后已退出：变量已丢失，文件仍在。",
  ],
  [
    /^Output was cut: only the first (\d+) bytes of (\w+) are here \(outputBytes\)\.$/,
    (bytes, stream) => `输出已截断：此处只有 ${stream} 的前 ${bytes} 字节（outputBytes）。`,
  ],
  [
    /^The package (\S+) is not there for Python in WebAssembly /,
    (name) =>
      `WebAssembly 中的 Python（运行时 pyodide）没有软件包 ${name}：找不到适用于该平台的版本。需要它的代码请在 CPython 运行时（local、docker）中运行：请设置 SANDBOX_RUNTIME。`,
  ],
  [
    /^The code reached for JavaScript \((.+)\), which is closed: its interpreter was ended\.$/,
    (name) => `代码试图访问已关闭的 JavaScript（${name}）：解释器已被终止。`,
  ],
  [/The code was run again in (\w+), from the start\.$/, (runtime) => `代码已在 ${runtime} 中从头重新运行。`],
  [
    /the code was not run again in (\w+) because (.{1,500})\. Run it again: it goes to \w+ then\.$/,
    (runtime, why) => `代码没有在 ${runtime} 中重新运行（${why}）。请再次运行：届时将使用 ${runtime}。`,
  ],
  [
    /^(\S+)(?: \((.{1,200}?)\))? could not be brought to (\w+): (.{1,2000})\.$/,
    (name, type, runtime, why) => `变量 ${name}${type && `（${type}）`}无法带到 ${runtime}：${why}。`,
  ],
];
