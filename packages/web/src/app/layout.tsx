import { createContext, type ReactNode, useContext, useMemo, useState, useSyncExternalStore } from "react";

/** Which parts of the page are open. In a narrow window only one of the list and the side panel is. */
interface Layout {
  readonly isListOpen: boolean;
  readonly isSidePanelOpen: boolean;
  readonly isSettingsOpen: boolean;
  readonly isHelpOpen: boolean;
  /** On a phone the list and the side panel cover the conversation, which is inert meanwhile. */
  readonly isCovered: boolean;
  toggleList(): void;
  openList(): void;
  closeList(): void;
  toggleSidePanel(): void;
  openSettings(): void;
  closeSettings(): void;
  openHelp(): void;
  closeHelp(): void;
}

const LayoutContext = createContext<Layout | undefined>(undefined);

const narrow = matchMedia("(max-width: 760px)");

export function isNarrow(): boolean {
  return narrow.matches;
}

function subscribe(listener: () => void): () => void {
  narrow.addEventListener("change", listener);
  return () => narrow.removeEventListener("change", listener);
}

/** Below this width the conversation would be narrower than on a phone if both were open. */
function isTight(): boolean {
  return matchMedia("(max-width: 1100px)").matches;
}

export function LayoutProvider({ children }: { children: ReactNode }) {
  const [isListOpen, setList] = useState(() => !isNarrow());
  const [isSidePanelOpen, setSidePanelOpen] = useState(false);
  const [isSettingsOpen, setSettings] = useState(false);
  const [isHelpOpen, setHelp] = useState(false);
  const isCovered = useSyncExternalStore(subscribe, isNarrow) && (isListOpen || isSidePanelOpen);
  const layout = useMemo<Layout>(() => {
    const showList = (isOpen: boolean) => {
      setList(isOpen);
      if (isOpen && isTight() && !isNarrow()) setSidePanelOpen(false);
    };
    return {
      isListOpen,
      isSidePanelOpen,
      isSettingsOpen,
      isHelpOpen,
      isCovered,
      toggleList: () => showList(!isListOpen),
      openList: () => showList(true),
      closeList: () => setList(false),
      toggleSidePanel: () => {
        setSidePanelOpen(!isSidePanelOpen);
        if (!isSidePanelOpen && isTight()) setList(false);
      },
      openSettings: () => setSettings(true),
      closeSettings: () => setSettings(false),
      openHelp: () => setHelp(true),
      closeHelp: () => setHelp(false),
    };
  }, [isListOpen, isSidePanelOpen, isSettingsOpen, isHelpOpen, isCovered]);
  return <LayoutContext value={layout}>{children}</LayoutContext>;
}

export function useLayout(): Layout {
  const layout = useContext(LayoutContext);
  if (!layout) throw new Error("outside of LayoutProvider");
  return layout;
}
