import { chartWords, groupTerm, plural } from "../wording/terms.ts";
import type { Plan } from "../plan.ts";

/** "Total amount by category", with the filters behind it. Charts speak English unless the question is Chinese. */
export function chartTitle(plan: Plan): string {
  const { subject, split, filters } = chartWords(plan);
  const head = headOf(plan, subject, split);
  return filters === "" ? head : `${head} (${filters})`;
}

function headOf(plan: Plan, subject: string, split: string): string {
  const isChinese = plan.language === "zh";
  const [group] = plan.groups;
  if (
    plan.kind === "groups" &&
    plan.limit !== undefined &&
    plan.groups.length === 1 &&
    group?.kind === "column"
  ) {
    const isLow = plan.order === "ascending";
    const term = groupTerm(group, plan.language);
    if (isChinese) return `${subject}${isLow ? "最低" : "最高"}的 ${plan.limit} 个${term}`;
    return `${isLow ? "Bottom" : "Top"} ${plan.limit} ${plural(term)} by ${subject.charAt(0).toLowerCase()}${subject.slice(1)}`;
  }
  if (split === "") return subject;
  return isChinese ? `各${split}的${subject}` : `${subject} ${split}`;
}
