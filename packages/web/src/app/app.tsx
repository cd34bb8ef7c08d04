import { lazy, Suspense } from "react";
import { ThreadList } from "../history/thread-list.tsx";
import { useTexts } from "../i18n/language.tsx";
import icon from "../ui/icon.svg";
import { ThreadPage } from "../thread/thread-page.tsx";
import { ConnectionBanner } from "./connection-banner.tsx";
import { isNarrow, useLayout } from "./layout.tsx";
import { NewThread } from "./new-thread.tsx";
import { PageSkeleton } from "./page-skeleton.tsx";
import { useRoute } from "./route.ts";
import { useShortcuts } from "./use-shortcuts.ts";

const Settings = lazy(() => import("../settings/settings.tsx"));
const HelpDialog = lazy(() => import("./help-dialog.tsx"));
const SharedPage = lazy(() => import("../thread/shared-page.tsx"));

export function App() {
  const texts = useTexts();
  const route = useRoute();
  const layout = useLayout();
  useShortcuts();
  const threadId = route.page === "thread" ? route.threadId : undefined;
  const isTemporary = route.page === "new" && route.isTemporary === true;
  if (route.page === "shared") {
    return (
      <Suspense fallback={<PageSkeleton />}>
        <SharedPage key={route.shareId} shareId={route.shareId} />
      </Suspense>
    );
  }
  return (
    <div className="app">
      <ConnectionBanner />
      {layout.isListOpen ? (
        <>
          <aside
            className="sidebar"
            aria-label={texts.threads}
            onKeyDown={(event) =>
              event.key === "Escape" && !event.defaultPrevented && isNarrow() && layout.closeList()
            }
          >
            <div className="brand">
              <img src={icon} alt="" width={26} height={26} /> {texts.appName}
            </div>
            <ThreadList currentId={threadId} onChosen={() => isNarrow() && layout.closeList()} />
          </aside>
          <button type="button" className="scrim" onClick={layout.closeList} aria-label={texts.hideThreads} />
        </>
      ) : (
        <div className="no-sidebar" />
      )}
      {threadId ? (
        <ThreadPage key={threadId} threadId={threadId} isSidePanelOpen={layout.isSidePanelOpen} />
      ) : (
        <NewThread key={String(isTemporary)} isTemporary={isTemporary} />
      )}
      {layout.isHelpOpen ? (
        <Suspense>
          <HelpDialog onClose={layout.closeHelp} />
        </Suspense>
      ) : null}
      {layout.isSettingsOpen ? (
        <Suspense>
          <Settings threadId={threadId} onClose={layout.closeSettings} />
        </Suspense>
      ) : null}
    </div>
  );
}
