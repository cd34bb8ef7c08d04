export const enAnswers = {
  rowsCopied: (rows: string, total: string) =>
    rows === total ? `${rows} rows copied` : `The first ${rows} of ${total} rows copied`,
  csvInPart: (rows: string, total: string) =>
    `Only the first ${rows} of ${total} rows were saved: the table is not in memory any more. Run the code again for all of them.`,

  chart: "Chart",
  chartElsewhere: "It wants something from an address, and charts here reach none: put its data into it.",
  chartInvalid: "Its description has a mistake:",
  chartSilent: "It takes too long. It may have too much data.",
  htmlResult: "HTML",

  uploads: "Files on their way",
  unnamedFile: "A file without a name",
  readingFile: (name: string) => `${name}: being read…`,
  cancelUpload: (name: string) => `Do not upload ${name}`,
  hideUpload: (name: string) => `Hide ${name}`,
  uploadRefusals: {
    unsent: "it could not be read or sent. Folders cannot be uploaded; for a file, check the connection.",
    too_large: "it is larger than this server allows.",
    disk_full: "the server has no room left for it.",
    empty: "it is empty.",
    unnamed: "give it a name first.",
  },

  welcomeTables: (names: string) => `${names} are loaded. Ask about them, or drop more files anywhere.`,
  tableLoaded: (name: string, rows: string, columns: number) =>
    `${name} is loaded: ${rows} rows, ${columns} columns.`,
  tableUnread: (name: string, problem: string) => `${name} could not be read as a table: ${problem}`,
  fileThere: (name: string) => `${name} is there.`,
};
