import { PanelLeft, PanelRight, Settings as Cog } from "lucide-react";
import { LanguageButton, useTexts } from "../i18n/language.tsx";
import { ThreadMenu } from "../history/thread-menu.tsx";
import { StateBadge } from "../panels/sandbox/state-badge.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { useLayout } from "./layout.tsx";

export function TopBar({ threadId, title }: { threadId?: string; title?: string | undefined }) {
  const texts = useTexts();
  const layout = useLayout();
  return (
    <header className="topbar">
      <IconButton
        icon={PanelLeft}
        size={18}
        label={layout.isListOpen ? texts.hideThreads : texts.showThreads}
        aria-pressed={layout.isListOpen}
        onClick={layout.toggleList}
      />
      <h1 className="ellipsis spread">{title ?? texts.untitled}</h1>
      {threadId ? <StateBadge threadId={threadId} /> : null}
      {threadId ? <ThreadMenu threadId={threadId} title={title} isCurrent /> : null}
      <LanguageButton />
      <IconButton icon={Cog} size={18} label={texts.settings} onClick={layout.openSettings} />
      {threadId ? (
        <IconButton
          icon={PanelRight}
          size={18}
          label={layout.isSidePanelOpen ? texts.hideSidePanel : texts.showSidePanel}
          aria-pressed={layout.isSidePanelOpen}
          onClick={layout.toggleSidePanel}
        />
      ) : null}
    </header>
  );
}
