import { X } from "lucide-react";
import { type ReactNode, useLayoutEffect, useRef } from "react";
import { useTexts } from "../i18n/language.tsx";
import { IconButton } from "./icon-button.tsx";
import { addDialog } from "./open-dialogs.ts";

interface DialogProps {
  readonly title: string;
  readonly className: string;
  readonly children: ReactNode;
  onClose(): void;
}

/**
 * A modal dialog, open while it is rendered. The focus starts at the element marked `data-first`, else at the first one
 * that takes it, and returns afterwards. The browser's own `<dialog>` makes the rest of the page inert without a library.
 */
export function Dialog({ title, className, children, onClose }: DialogProps) {
  const texts = useTexts();
  const dialog = useRef<HTMLDialogElement>(null);
  const isEnded = useRef(false);
  useLayoutEffect(() => {
    const element = dialog.current;
    if (!element) return undefined;
    isEnded.current = false;
    element.showModal();
    element.querySelector<HTMLElement>("[data-first]")?.focus();
    const remove = addDialog(element);
    return () => {
      isEnded.current = true;
      remove();
      element.close();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      className={`dialog ${className}`}
      aria-label={title}
      onClose={() => isEnded.current || onClose()}
    >
      <header className="row">
        <h2 className="spread">{title}</h2>
        <IconButton icon={X} size={18} label={texts.close} onClick={onClose} />
      </header>
      {children}
    </dialog>
  );
}
