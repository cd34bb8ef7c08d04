/** Messages that are not about the numbers. */
export type Topic = "greeting" | "thanks" | "help" | "model";

const GREETING =
  /^(hi|hello|hey|hiya|good (morning|afternoon|evening)|greetings|yo|你好|您好|嗨|哈喽|早上好)( there| atoll| all)?$/;
const THANKS =
  /^(thanks|thank you|thx|cheers|great|cool|nice|ok|okay|perfect|awesome|谢谢|多谢|好的|很好)( a lot| so much| very much| you)?$/;
const HELP =
  /^(help|help me|what can (you|i) (do|ask)( here| for me| with this( data)?)?|what do you do|how (do|does) (you|this|it) work|what (questions )?(can|could) i ask( you)?( about (this|the) (data|table))?|how can you help( me)?|who are you|what are you|examples?|commands|\?|你能做什么|你会什么|帮助|怎么用|你是谁|我能问什么|可以问什么)$/;
const MODEL =
  /\b(which|what) (ai |language )?(model|llm)\b|\bare you (gpt|claude|chatgpt|an ai|an llm|a bot|human)\b|你是什么模型/;

/** What no rule of the analyst can do, so that it must not answer a part of it as if it were all. */
const BEYOND =
  /\b(forecast\w*|predict\w*|projection|extrapolat\w*|regression|regress|cluster\w*|classif(y|ier|ication)|machine learning|neural|train a|k-?means|pca|anova|t-?test|p-?value|hypothesis|significan(t|ce)|sentiment|translate|summari[sz]e the text|write (a|an|me|some)|poem|joke|story|why|recommend\w*|advice|advise|should (i|we)|scrape|download|install|email (me|this|it)|send|delete|drop table|insert into|update \w+ set|import os|__import__|subprocess|eval\(|exec\(|rm -rf|next (month|year|week|quarter)|tomorrow)\b|预测|回归|聚类|为什么|建议|翻译|写一/i;

/** `names`: of columns and values, which may use these words too. */
export function findTopic(question: string, names: readonly string[]): Topic | "beyond" | undefined {
  const text = question
    .trim()
    .toLowerCase()
    .replace(/(?<![!?.。！？,，])[!?.。！？,，]+$/, "")
    .trim();
  if (GREETING.test(text)) return "greeting";
  if (THANKS.test(text)) return "thanks";
  if (HELP.test(text) || question.trim() === "?") return "help";
  if (MODEL.test(text)) return "model";
  const match = BEYOND.exec(question.toLowerCase());
  const isName = match !== null && names.some((name) => name.toLowerCase().includes(match[0]));
  return match === null || isName ? undefined : "beyond";
}
