import { Boxes, FolderTree, Globe, Images, Network, SquareTerminal, Variable, X } from "lucide-react";
import { type ComponentType, lazy, Suspense } from "react";
import { ErrorBoundary } from "../app/error-boundary.tsx";
import { useLayout } from "../app/layout.tsx";
import { useTexts } from "../i18n/language.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import type { Conversation } from "../thread/conversation.ts";
import { type PanelName, PANEL_NAMES, showPanel, useShownPanel } from "./shown-panel.ts";
import "./panels.css";

export interface PanelProps {
  readonly threadId: string;
  readonly conversation: Conversation;
}

const panels: Readonly<Record<PanelName, ComponentType<PanelProps>>> = {
  files: lazy(() => import("../files/files-panel.tsx")),
  gallery: lazy(() => import("../files/gallery/gallery-panel.tsx")),
  sandbox: lazy(() => import("./sandbox/sandbox-panel.tsx")),
  variables: lazy(() => import("./variables-panel.tsx")),
  terminal: lazy(() => import("./terminal/terminal-panel.tsx")),
  browser: lazy(() => import("./browser/browser-panel.tsx")),
  ports: lazy(() => import("./ports/ports-panel.tsx")),
};

const icons = {
  files: FolderTree,
  gallery: Images,
  sandbox: Boxes,
  variables: Variable,
  terminal: SquareTerminal,
  browser: Globe,
  ports: Network,
};

/** The panels beside the conversation: files, sandbox, terminal and more. */
export default function SidePanel(props: PanelProps) {
  const texts = useTexts();
  const { toggleSidePanel } = useLayout();
  const shown = useShownPanel();
  const Panel = panels[shown];
  return (
    <aside className="side-panel" aria-label={texts.sandbox}>
      <div className="panel-tabs">
        <div role="tablist" aria-label={texts.sandbox} onKeyDown={(event) => moveFocus(event)}>
          {PANEL_NAMES.map((name) => {
            const Icon = icons[name];
            return (
              <button
                key={name}
                type="button"
                role="tab"
                id={`tab-${name}`}
                aria-selected={name === shown}
                aria-controls="panel-body"
                tabIndex={name === shown ? 0 : -1}
                title={texts[name]}
                onClick={() => showPanel(name)}
              >
                <Icon size={17} aria-hidden />
                <span className={name === shown ? "" : "visually-hidden"}>{texts[name]}</span>
              </button>
            );
          })}
        </div>
        <span className="spread" />
        <IconButton icon={X} size={16} label={texts.hideSidePanel} isSmall onClick={toggleSidePanel} />
      </div>
      <div id="panel-body" className="panel-body" role="tabpanel" aria-labelledby={`tab-${shown}`}>
        <ErrorBoundary key={`${props.threadId} ${shown}`}>
          <Suspense>
            <Panel {...props} />
          </Suspense>
        </ErrorBoundary>
      </div>
    </aside>
  );
}

function moveFocus(event: React.KeyboardEvent<HTMLElement>): void {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const tabs = [...event.currentTarget.querySelectorAll<HTMLButtonElement>("[role=tab]")];
  const at = tabs.indexOf(document.activeElement as HTMLButtonElement);
  const next = tabs[(at + step + tabs.length) % tabs.length];
  next?.focus();
  next?.click();
}
