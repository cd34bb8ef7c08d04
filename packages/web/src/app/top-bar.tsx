import { PanelLeft, PanelRight, Settings as Cog } from "lucide-react";
import { useLanguage } from "../i18n/language.tsx";
import { ThreadMenu } from "../history/thread-menu.tsx";
import { StateBadge } from "../panels/sandbox/state-badge.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { useLayout } from "./layout.tsx";

export function TopBar({ threadId, title }: { threadId?: string; title?: string | undefined }) {
  const { texts, language, choose } = useLanguage();
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
      <button
        type="button"
        className="button plain small"
        onClick={() => choose(language === "en" ? "zh" : "en")}
        aria-label={`${texts.language}: ${language === "en" ? "中文" : "EN (English)"}`}
        lang={language === "en" ? "zh" : "en"}
      >
        {language === "en" ? "中文" : "EN"}
      </button>
      <IconButton icon={Cog} size={18} label={texts.settings} onClick={layout.openSettings} />
      {threadId ? (
        <IconButton
          icon={PanelRight}
          size={18}
          label={layout.isDeskOpen ? texts.hideDesk : texts.showDesk}
          aria-pressed={layout.isDeskOpen}
          onClick={layout.toggleDesk}
        />
      ) : null}
    </header>
  );
}
