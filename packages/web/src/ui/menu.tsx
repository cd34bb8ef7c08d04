import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react";

export interface MenuEntry {
  readonly label: string;
  readonly icon?: ReactNode;
  readonly isDangerous?: boolean;
  run(): void;
}

interface MenuProps {
  readonly label: string;
  readonly icon: ReactNode;
  readonly entries: readonly MenuEntry[];
  readonly isSmall?: boolean;
}

/**
 * A button with a menu, for pointers and for the keys of a menu. The menu, dialog and toasts of `@base-ui/react` would
 * add 52 kB (compressed) to a first load of 150 kB, and do nothing here that this does not.
 */
export function Menu({ label, icon, entries, isSmall = false }: MenuProps) {
  const [isOpen, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const button = root.current?.querySelector("button");
    if (isOpen && button && list.current) place(list.current, button);
  }, [isOpen]);
  useEffect(() => {
    if (!isOpen) return undefined;
    root.current?.querySelector<HTMLElement>("[role=menuitem]")?.focus();
    const close = (event: Event) => {
      if (!root.current?.contains(event.target as Node)) setOpen(false);
    };
    // The menu is placed once: it closes when its button moves, not when something else scrolls.
    const end = () => setOpen(false);
    const endIfMoved = (event: Event) => {
      if (root.current && (event.target as Node).contains(root.current)) end();
    };
    addEventListener("pointerdown", close);
    addEventListener("resize", end);
    addEventListener("scroll", endIfMoved, true);
    return () => {
      removeEventListener("pointerdown", close);
      removeEventListener("resize", end);
      removeEventListener("scroll", endIfMoved, true);
    };
  }, [isOpen]);
  const closeAndReturn = () => {
    root.current?.querySelector("button")?.focus();
    setOpen(false);
  };
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (!isOpen && event.key === "ArrowDown") {
      event.preventDefault();
      setOpen(true);
    } else if (isOpen && event.key === "Escape") {
      event.preventDefault();
      closeAndReturn();
    } else if (isOpen && event.key === "Tab") {
      setOpen(false);
    } else if (isOpen) {
      moveFocus(event, root.current);
    }
  };
  return (
    <div className="menu-root" ref={root} onKeyDown={onKeyDown}>
      <button
        type="button"
        className={`icon-button ${isSmall ? "small" : ""}`}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-label={label}
        title={label}
        onClick={() => setOpen(!isOpen)}
      >
        {icon}
      </button>
      {isOpen ? (
        <div className="menu" role="menu" aria-label={label} ref={list}>
          {entries.map(({ label: text, icon: sign, isDangerous, run }) => (
            <button
              key={text}
              type="button"
              role="menuitem"
              tabIndex={-1}
              className={isDangerous ? "bad" : ""}
              onClick={() => {
                // A dialog that opens next returns the focus to the button.
                closeAndReturn();
                run();
              }}
            >
              {sign} {text}
            </button>
          ))}
        </div>
      ) : null}
    </div>
  );
}

function moveFocus(event: React.KeyboardEvent, root: HTMLElement | null): void {
  const items = [...(root?.querySelectorAll<HTMLElement>("[role=menuitem]") ?? [])];
  const at = items.indexOf(document.activeElement as HTMLElement);
  const places: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    Home: 0,
    End: items.length - 1,
  };
  const place = places[event.key];
  if (place === undefined) return;
  event.preventDefault();
  items[(place + items.length) % items.length]?.focus();
}

const GAP_PX = 6;

/** Places the list below its button, or above it if there is no room, within the window. */
function place(list: HTMLElement, button: HTMLElement): void {
  const anchor = button.getBoundingClientRect();
  const { width, height } = list.getBoundingClientRect();
  const isBelow = anchor.bottom + GAP_PX + height <= innerHeight;
  const top = isBelow ? anchor.bottom + GAP_PX : Math.max(GAP_PX, anchor.top - GAP_PX - height);
  const left = Math.min(Math.max(GAP_PX, anchor.right - width), innerWidth - width - GAP_PX);
  list.style.top = `${top}px`;
  list.style.left = `${left}px`;
}
