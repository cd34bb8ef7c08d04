import { X } from "lucide-react";
import { useEffect, useRef } from "react";
import { useTexts } from "../i18n/language.tsx";
import { IconButton } from "./icon-button.tsx";

interface LightboxProps {
  readonly url: string;
  /** The alternative text. */
  readonly name: string;
  onClose(): void;
}

/** Shows a picture as large as the window. A click beside it closes it. */
export function Lightbox({ url, name, onClose }: LightboxProps) {
  const texts = useTexts();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const close = () => dialog.current?.close();
  return (
    <dialog
      ref={dialog}
      className="lightbox"
      aria-label={name}
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && close()}
    >
      <IconButton icon={X} size={20} label={texts.close} className="lightbox-close" onClick={close} />
      <img src={url} alt={name} />
    </dialog>
  );
}
