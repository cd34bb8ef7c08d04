import { OctagonPause, RotateCcw, Square } from "lucide-react";
import { useState } from "react";
import { useClient } from "../../app/client.tsx";
import { useToasts } from "../../app/toasts.tsx";
import { useTexts } from "../../i18n/language.tsx";
import type { PanelProps } from "../side-panel.tsx";

/** Stops the answer or only its code. Restarting Python loses its variables, so the user must confirm. */
export function KernelControls({ threadId, conversation, onRestart }: PanelProps & { onRestart?(): void }) {
  const texts = useTexts();
  const client = useClient();
  const { attempt, show } = useToasts();
  const [isAsking, ask] = useState(false);
  const [isRestarting, setRestarting] = useState(false);
  const isRunning = conversation.items.some((item) => item.kind === "answer" && !item.done);
  const kernel = client.threads.kernel(threadId);
  const interrupt = async () => {
    const told = await attempt(kernel.interrupt());
    if (told && !told.is_done) show(texts.nothingToInterrupt);
  };
  const restart = async () => {
    ask(false);
    setRestarting(true);
    const told = await attempt(kernel.restart());
    setRestarting(false);
    if (!told) return;
    show(texts.kernelRestarted);
    onRestart?.();
  };
  return (
    <>
      <div className="panel-bar">
        <button
          type="button"
          className="button small"
          disabled={!isRunning}
          title={texts.stopAnswerHint}
          onClick={() => void attempt(client.threads.stop(threadId))}
        >
          <Square size={13} aria-hidden /> {texts.stopAnswer}
        </button>
        <button
          type="button"
          className="button small"
          disabled={!isRunning}
          title={texts.interruptHint}
          onClick={() => void interrupt()}
        >
          <OctagonPause size={14} aria-hidden /> {texts.interruptKernel}
        </button>
        <button
          type="button"
          className="button small"
          aria-expanded={isAsking}
          disabled={isRestarting}
          title={texts.restartKernelHint}
          onClick={() => ask(!isAsking)}
        >
          <RotateCcw size={14} aria-hidden /> {texts.restartKernel}
        </button>
      </div>
      {isAsking ? (
        <div className="notice row" role="alertdialog" aria-label={texts.restartKernel}>
          <span className="spread">{texts.restartKernelHint}</span>
          <button type="button" className="button small" onClick={() => ask(false)}>
            {texts.cancel}
          </button>
          <button type="button" className="button small danger" autoFocus onClick={() => void restart()}>
            {texts.restartNow}
          </button>
        </div>
      ) : null}
    </>
  );
}
