import type { CodeRun } from "@atoll/client";

type Place = NonNullable<CodeRun["place"]>;
type Reason = NonNullable<Place["reasons"]>[number];

/** Why code ran in one Python or the other. Events of an older server have it in English only. */
export function sayPlaceInChinese({ reason, reasons }: Place): string {
  return reasons ? reasons.map(say).join("，") : reason;
}

function say({ code, of = "", via = [], before }: Reason): string {
  const through = via.map((module) => `导入的 ${module} `).join("");
  return `${before ? "此前 " : ""}${through}${phrases[code](of)}`;
}

const phrases: Readonly<Record<Reason["code"], (of: string) => string>> = {
  plain: () => "是普通 Python 代码",
  light_variable: (name) => `使用 Pyodide 中的变量 ${name}`,
  asked: () => "应要求",
  own_context: () => "在独立的上下文中运行",
  too_long: () => "代码过长，未作分析",
  shell: () => "运行 shell 命令",
  magic: (name) => `使用笔记本命令 ${name}`,
  notebook: () => "使用笔记本的 shell",
  module: (name) => `导入 ${name}`,
  unknown_module: () => "导入的模块名在运行时才确定",
  processes: (name) => `启动进程或线程（${name}）`,
  network: (name) => `使用网络（${name}）`,
  file: (name) => `打开 ${name}`,
  loop: (count) => `循环 ${count} 次`,
  elements: (count) => `一次生成 ${count} 个元素`,
  sleep: (seconds) => `休眠 ${seconds} 秒`,
  heavy_variables: (names) => `使用 CPython 中的变量 ${names.replaceAll(", ", "、")}`,
  any_variable: () => "可能使用任意变量，其中一些在 CPython 中",
  maybe_variable: (name) => `使用的 ${name} 可能在 CPython 中`,
  light_timeout: () => "Pyodide 超时",
  light_memory: () => "Pyodide 内存不足",
  light_module: (name) => `Pyodide 没有模块 ${name}`,
  light_room: (name) => `Pyodide 放不下 ${name}`,
  light_cannot: (error) => `Pyodide 无法执行${error && `（${error}）`}`,
  light_ended: () => "Pyodide 已退出",
};
