import type { enAnswers } from "./en-answers.ts";

export const zhAnswers: typeof enAnswers = {
  rowsCopied: (rows, total) => (rows === total ? `已复制 ${rows} 行` : `已复制前 ${rows} 行，共 ${total} 行`),
  csvInPart: (rows, total) =>
    `仅保存了前 ${rows} 行，共 ${total} 行：此表格已不在内存中，重新运行代码即可保存全部。`,

  chart: "图表",
  chartElsewhere: "它需要从某个地址获取内容，而这里的图表无法访问任何地址：请把数据直接写在图表中。",
  chartInvalid: "图表描述有误：",
  chartSilent: "耗时过长，可能是数据太多。",
  htmlResult: "HTML 内容",

  uploads: "上传中的文件",
  unnamedFile: "未命名文件",
  readingFile: (name) => `${name}：读取中…`,
  cancelUpload: (name) => `取消上传 ${name}`,
  hideUpload: (name) => `隐藏 ${name}`,
  uploadRefusals: {
    unsent: "无法读取或发送。不支持上传文件夹；如果是文件，请检查网络连接。",
    too_large: "超过了服务器允许的大小。",
    disk_full: "服务器空间不足。",
    empty: "文件是空的。",
    unnamed: "请先给它一个名称。",
  },

  welcomeTables: (names) => `已载入 ${names}。直接提问，或继续把文件拖到页面任意位置。`,
  tableLoaded: (name, rows, columns) => `已载入 ${name}：${rows} 行，${columns} 列。`,
  tableUnread: (name, problem) => `${name} 无法作为表格读取：${problem}`,
  fileThere: (name) => `已收到 ${name}。`,
};
