import { Plus, X } from "lucide-react";
import { useTexts } from "../../i18n/language.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import type { PanelProps } from "../side-panel.tsx";
import { TerminalScreen } from "./terminal-screen.tsx";
import { useTerminals } from "./use-terminals.ts";

/** Shells in the sandbox. Attaching to one replays its output. */
export default function TerminalPanel({ threadId }: PanelProps) {
  const texts = useTexts();
  const { list, shown, show, open, close, end } = useTerminals(threadId);
  return (
    <div className="panel fill terminal">
      <div className="panel-bar">
        <ul className="strip spread" aria-label={texts.terminals}>
          {list.map(({ remote: { id }, number }) => {
            const name = texts.terminalNumber(number);
            const isShown = id === shown?.remote.id;
            return (
              <li key={id} className={isShown ? "is-current" : ""}>
                <button type="button" className="ellipsis" aria-current={isShown} onClick={() => show(id)}>
                  {name}
                </button>
                <IconButton
                  icon={X}
                  size={13}
                  label={texts.closeTab(name)}
                  isSmall
                  onClick={() => void close(id)}
                />
              </li>
            );
          })}
          <li>
            <IconButton icon={Plus} size={15} label={texts.newTerminal} isSmall onClick={() => void open()} />
          </li>
        </ul>
      </div>
      {shown ? (
        <TerminalScreen key={shown.remote.id} remote={shown.remote} onEnd={() => end(shown.remote.id)} />
      ) : null}
      {shown?.isEnded ? (
        <p className="notice row" role="status">
          <span className="spread">{texts.terminalEnded}</span>
          <button type="button" className="button small" onClick={() => void open()}>
            {texts.newTerminal}
          </button>
        </p>
      ) : null}
    </div>
  );
}
