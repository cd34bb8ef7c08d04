import type { ApprovalRule } from "@atoll/client";
import { Plus, X } from "lucide-react";
import { useEffect, useState } from "react";
import { useTexts } from "../i18n/language.tsx";
import type { Texts } from "../i18n/en.ts";
import { IconButton } from "../ui/icon-button.tsx";

const PERMISSIONS = ["allow", "ask", "deny"] as const;

/** Rules: which calls run at once, need approval or are refused. */
export function RuleList(props: {
  rules: readonly ApprovalRule[];
  onChange(rules: ApprovalRule[]): Promise<boolean>;
}) {
  const texts = useTexts();
  const [rules, setRules] = useState(props.rules);
  const [isChanged, setChanged] = useState(false);
  useEffect(() => setRules(props.rules), [props.rules]);
  const change = (next: readonly ApprovalRule[]) => {
    setRules(next);
    setChanged(true);
  };
  const save = async () => {
    if (await props.onChange(rules.filter(({ tool }) => tool.trim() !== ""))) setChanged(false);
  };
  return (
    <div className="rules">
      <p className="quiet small-text">{rules.length === 0 ? texts.noRules : texts.rulesHint}</p>
      <ul>
        {rules.map((rule, index) => (
          <li key={index} className="row">
            <input
              className="field mono"
              value={rule.tool}
              aria-label={texts.ruleTool}
              placeholder="execute_shell"
              onChange={(event) => change(rules.with(index, { ...rule, tool: event.target.value }))}
            />
            {rule.input || rule.agent || rule.exact ? (
              <span className="quiet small-text mono ellipsis" title={texts.ruleInput}>
                {describe(rule, texts)}
              </span>
            ) : null}
            <select
              className="field"
              value={rule.permission}
              aria-label={`${texts.rulePermission} ${rule.tool}`}
              onChange={(event) => {
                const permission = PERMISSIONS.find((each) => each === event.target.value) ?? "ask";
                change(rules.with(index, { ...rule, permission }));
              }}
            >
              {PERMISSIONS.map((permission) => (
                <option key={permission} value={permission}>
                  {texts.permissions[permission]}
                </option>
              ))}
            </select>
            <IconButton
              icon={X}
              size={14}
              label={texts.removeRule(rule.tool)}
              isSmall
              onClick={() => change(rules.toSpliced(index, 1))}
            />
          </li>
        ))}
      </ul>
      <div className="row">
        <button
          type="button"
          className="button small"
          onClick={() => change([...rules, { tool: "", permission: "ask" }])}
        >
          <Plus size={14} aria-hidden /> {texts.addRule}
        </button>
        {isChanged ? (
          <button type="button" className="button small primary" onClick={() => void save()}>
            {texts.save}
          </button>
        ) : null}
      </div>
    </div>
  );
}

function describe({ agent, input, exact }: ApprovalRule, texts: Texts): string {
  const given = Object.entries(input ?? {}).map(([name, pattern]) => `${name}=${pattern}`);
  return [...(agent ? [agent] : []), ...given, ...(exact ? [texts.ruleExact] : [])].join(" ");
}
