import { X } from "lucide-react";
import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from "react";
import { createPortal } from "react-dom";
import { useTexts } from "../i18n/language.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { useFrontDialog } from "../ui/open-dialogs.ts";
import { describeError } from "./describe-error.ts";

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly isBad: boolean;
  readonly action?: { readonly label: string; run(): void };
}

interface Toasts {
  show(text: string, options?: { isBad?: boolean; action?: Toast["action"]; shownMs?: number }): () => void;
  tellFailure(error: unknown): void;
  /** Awaits the work. A failure is shown to the user and resolves with undefined. */
  attempt<Value>(work: Promise<Value>, options?: { onFailure?(): void }): Promise<Value | undefined>;
}

const ToastContext = createContext<Toasts | undefined>(undefined);
let lastId = 0;

export function ToastProvider({ children }: { children: ReactNode }) {
  const texts = useTexts();
  const [toasts, setToasts] = useState<readonly Toast[]>([]);
  const drop = useCallback((id: number) => setToasts((list) => list.filter((toast) => toast.id !== id)), []);
  const show = useCallback<Toasts["show"]>(
    (text, { isBad = false, action, shownMs = 6000 } = {}) => {
      const id = ++lastId;
      // The same text is shown once.
      const others = (list: readonly Toast[]) => list.filter((toast) => toast.action || toast.text !== text);
      setToasts((list) => [...others(list).slice(-3), { id, text, isBad, action }]);
      setTimeout(() => drop(id), shownMs);
      return () => drop(id);
    },
    [drop],
  );
  const tellFailure = useCallback<Toasts["tellFailure"]>(
    (error) => void show(describeError(error, texts), { isBad: true, shownMs: 10_000 }),
    [show, texts],
  );
  const attempt = useCallback<Toasts["attempt"]>(
    async (work, { onFailure } = {}) => {
      try {
        return await work;
      } catch (error) {
        onFailure?.();
        tellFailure(error);
        return undefined;
      }
    },
    [tellFailure],
  );
  // Toasts outside an open dialog could be neither clicked nor read out.
  const place = useFrontDialog() ?? document.body;
  const value = useMemo(() => ({ show, tellFailure, attempt }), [show, tellFailure, attempt]);
  return (
    <ToastContext value={value}>
      {children}
      {createPortal(<ToastList toasts={toasts} drop={drop} />, place)}
    </ToastContext>
  );
}

export function useToasts(): Toasts {
  const toasts = useContext(ToastContext);
  if (!toasts) throw new Error("outside of ToastProvider");
  return toasts;
}

function ToastList({ toasts, drop }: { toasts: readonly Toast[]; drop(id: number): void }) {
  const texts = useTexts();
  return (
    <div className="toasts" role="status" aria-live="polite">
      {toasts.map(({ id, text, isBad, action }) => (
        <div key={id} className={`toast ${isBad ? "bad" : ""}`}>
          <span>{text}</span>
          {action ? (
            <button
              type="button"
              className="button small"
              onClick={() => {
                action.run();
                drop(id);
              }}
            >
              {action.label}
            </button>
          ) : null}
          <IconButton icon={X} size={14} label={texts.close} isSmall onClick={() => drop(id)} />
        </div>
      ))}
    </div>
  );
}
