const MAX_CHARS = 60;

/** A thread's name, from its first question. */
export function deriveTitle(question: string): string {
  const plain = question
    .replaceAll(/```[\s\S]*?(```|$)/g, " ")
    .replaceAll(/[#*_`>|]+/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
  const sentence = /^.*?(?:[.!?](?=\s|$)|[。！？])/u.exec(plain)?.[0] ?? plain;
  const title = shorten(sentence.replace(/(?<![\s.!?:;,。！？：；，、])[\s.!?:;,。！？：；，、]+$/u, ""));
  return title === "" ? "New thread" : title[0]?.toLocaleUpperCase() + title.slice(1);
}

/** The same of one that begins with code: its first line that is no comment. */
export function deriveCodeTitle(code: string): string {
  const lines = code.split("\n").map((line) => line.trim());
  const first = lines.find((line) => line !== "" && !line.startsWith("#")) ?? lines.find(Boolean) ?? "";
  return shorten(first) || "New thread";
}

function shorten(text: string): string {
  const characters = [...text];
  if (characters.length <= MAX_CHARS) return text;
  const cut = characters.slice(0, MAX_CHARS).join("");
  const lastSpace = cut.lastIndexOf(" ");
  return `${lastSpace > MAX_CHARS / 2 ? cut.slice(0, lastSpace) : cut}…`;
}
