import type { BrowserInput, BrowserTab } from "@atoll/client";
import { Plus, X } from "lucide-react";
import { useTexts } from "../../i18n/language.tsx";
import { IconButton } from "../../ui/icon-button.tsx";

export function BrowserTabs({ tabs, use }: { tabs: readonly BrowserTab[]; use(input: BrowserInput): void }) {
  const texts = useTexts();
  return (
    <ul className="strip" aria-label={texts.browserTabs}>
      {tabs.map(({ id, title, url, is_current: isCurrent }) => {
        const name = title || url || texts.newTab;
        return (
          <li key={id} className={isCurrent ? "is-current" : ""}>
            <button
              type="button"
              className="ellipsis"
              aria-current={isCurrent}
              onClick={() => use({ type: "tab", action: "select", tab: id })}
              title={url}
            >
              {name}
            </button>
            <IconButton
              icon={X}
              size={13}
              label={texts.closeTab(name)}
              isSmall
              onClick={() => use({ type: "tab", action: "close", tab: id })}
            />
          </li>
        );
      })}
      <li>
        <IconButton
          icon={Plus}
          size={15}
          label={texts.newTab}
          isSmall
          onClick={() => use({ type: "tab", action: "new" })}
        />
      </li>
    </ul>
  );
}
