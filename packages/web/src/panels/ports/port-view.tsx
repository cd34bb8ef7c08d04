import { ExternalLink, RotateCw } from "lucide-react";
import { useState } from "react";
import { useTexts } from "../../i18n/language.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { addressOf, readPath } from "./port-address.ts";
import type { Preview } from "./ports-panel.tsx";

/**
 * One port in a frame. If the port has its own origin, its page may use it, as pages with modules or storage must;
 * otherwise the frame has no origin. Either way it cannot reach this page.
 */
export function PortView({ preview, isOpen }: { preview: Preview; isOpen: boolean }) {
  const texts = useTexts();
  const [typed, type] = useState("/");
  const [shown, show] = useState({ path: "/", version: 0 });
  const go = (path: string) => {
    type(path);
    show(({ version }) => ({ path, version: version + 1 }));
  };
  const address = addressOf(preview, shown.path);
  return (
    <>
      <form
        className="row"
        onSubmit={(event) => {
          event.preventDefault();
          go(readPath(typed));
        }}
      >
        <IconButton
          icon={RotateCw}
          size={15}
          label={texts.browserReload}
          isSmall
          disabled={!isOpen}
          onClick={() => go(shown.path)}
        />
        <span className="quiet mono">:{preview.port}</span>
        <input
          className="field mono"
          value={typed}
          onChange={(event) => type(event.target.value)}
          aria-label={texts.address}
          spellCheck={false}
        />
        <button type="submit" className="button small">
          {texts.browserGo}
        </button>
        <a
          className="icon-button small"
          href={address}
          target="_blank"
          rel="noopener noreferrer"
          aria-label={texts.openInTab}
          title={texts.openInTab}
        >
          <ExternalLink size={15} aria-hidden />
        </a>
      </form>
      {isOpen ? (
        <iframe
          key={shown.version}
          className="preview-frame"
          title={`${texts.ports} ${preview.port}`}
          src={address}
          sandbox={`allow-scripts allow-forms allow-popups allow-downloads allow-modals${preview.url ? " allow-same-origin" : ""}`}
        />
      ) : (
        <p className="notice" role="status">
          {texts.portClosed(preview.port)}
        </p>
      )}
    </>
  );
}
