import { Unplug } from "lucide-react";
import { memo } from "react";
import { useLayout } from "../app/layout.tsx";
import { useTexts } from "../i18n/language.tsx";
import type { Refusal } from "../thread/conversation.ts";

/** Hosts that the sandbox did not reach, with the way to where that is decided. */
export const Refusals = memo(function Refusals({ refusals }: { refusals: readonly Refusal[] }) {
  const texts = useTexts();
  const { openSettings } = useLayout();
  if (refusals.length === 0) return null;
  return (
    <div className="refusals small-text" role="status">
      <Unplug size={15} aria-hidden />
      <div className="spread">
        {refusals.map(({ host, count, reason }) => (
          <p key={host} title={reason}>
            {texts.refusedHost(host, count)} {isByPolicy(reason) ? "" : reason}
          </p>
        ))}
      </div>
      <button type="button" className="button plain small" onClick={openSettings}>
        {texts.networkSettings}
      </button>
    </div>
  );
});

/** Then the sentence says it already. */
function isByPolicy(reason: string | undefined): boolean {
  return reason === undefined || reason.includes("network policy");
}
