import { AtollApiError, type Variable, type VariableList } from "@atoll/client";
import { RefreshCw, Trash2 } from "lucide-react";
import { useCallback, useEffect, useState } from "react";
import { useClient } from "../app/client.tsx";
import { useToasts } from "../app/toasts.tsx";
import { useTexts } from "../i18n/language.tsx";
import { type Format, useFormat } from "../ui/format.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { countEnded } from "../thread/count-ended.ts";
import type { PanelProps } from "./side-panel.tsx";
import { KernelControls } from "./sandbox/kernel-controls.tsx";

const AGAIN_MS = 1500;

/** The variables of the thread's Python. */
export default function VariablesPanel({ threadId, conversation }: PanelProps) {
  const texts = useTexts();
  const format = useFormat();
  const client = useClient();
  const { attempt, tellFailure } = useToasts();
  const [list, setList] = useState<VariableList>();
  const [isBusy, setBusy] = useState(false);
  const [words, setWords] = useState("");
  const kernel = useCallback(() => client.threads.kernel(threadId), [client, threadId]);
  const load = useCallback(async () => {
    try {
      setList(await kernel().variables());
      setBusy(false);
    } catch (error) {
      if (error instanceof AtollApiError && error.code === "busy") setBusy(true);
      else tellFailure(error);
    }
  }, [tellFailure, kernel]);
  const ended = countEnded(conversation);
  useEffect(() => void load(), [load, ended]);
  useEffect(() => {
    if (!isBusy) return undefined;
    const timer = setInterval(() => void load(), AGAIN_MS);
    return () => clearInterval(timer);
  }, [isBusy, load]);
  const remove = async (name: string) => {
    const isGone = kernel()
      .removeVariable(name)
      .then(() => true);
    if (await attempt(isGone)) await load();
  };
  const wanted = words.trim().toLowerCase();
  const shown = list?.variables.filter(({ name, type }) => `${name} ${type}`.toLowerCase().includes(wanted));
  return (
    <div className="panel">
      <div className="panel-bar">
        <input
          className="field variable-filter"
          type="search"
          value={words}
          onChange={(event) => setWords(event.target.value)}
          placeholder={texts.filterVariables}
          aria-label={texts.filterVariables}
        />
        <span className="spread" />
        <IconButton icon={RefreshCw} size={14} label={texts.refresh} isSmall onClick={() => void load()} />
      </div>
      <KernelControls threadId={threadId} conversation={conversation} onRestart={() => void load()} />
      {isBusy ? (
        <p className="notice" role="status">
          {texts.kernelBusy}
        </p>
      ) : null}
      {list && !list.is_awake ? <p className="quiet small-text">{texts.variablesRest}</p> : null}
      {list?.is_awake && list.variables.length === 0 ? <p className="quiet">{texts.noVariables}</p> : null}
      {shown && shown.length > 0 ? (
        <VariableTable variables={shown} onRemove={(name) => void remove(name)} />
      ) : null}
      {list && list.total > list.variables.length ? (
        <p className="quiet small-text">{texts.andMore(format.number(list.total - list.variables.length))}</p>
      ) : null}
    </div>
  );
}

function VariableTable({
  variables,
  onRemove,
}: {
  variables: readonly Variable[];
  onRemove(name: string): void;
}) {
  const texts = useTexts();
  const format = useFormat();
  return (
    <table className="variables">
      <thead>
        <tr>
          <th scope="col">{texts.variableName}</th>
          <th scope="col">{texts.variableType}</th>
          <th scope="col">{texts.variableSize}</th>
          <th scope="col">
            <span className="visually-hidden">{texts.remove}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {variables.map((variable) => (
          <tr key={variable.name}>
            <th scope="row">
              <span className="mono">{variable.name}</span>
              <span className="quiet mono ellipsis" title={variable.preview}>
                {variable.preview}
              </span>
            </th>
            <td className="mono">{variable.type}</td>
            <td>{sizeOf(variable, format)}</td>
            <td>
              <IconButton
                icon={Trash2}
                size={14}
                label={texts.removeVariable(variable.name)}
                isSmall
                onClick={() => onRemove(variable.name)}
              />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The dimensions if the value has some, else its size in bytes. */
function sizeOf({ shape, size_bytes: size }: Variable, format: Format): string {
  if (shape && shape.length > 0) return shape.map((count) => format.number(count)).join(" × ");
  return size === undefined ? "" : format.bytes(size);
}
