import { Unplug } from "lucide-react";
import { memo } from "react";
import { useLayout } from "../app/layout.tsx";
import { useTexts } from "../i18n/language.tsx";
import type { Refusal } from "../thread/conversation.ts";

/** Hosts that the sandbox was refused, with a link to the network settings. */
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

/** The sentence already says that the policy refused it. */
function isByPolicy(reason: string | undefined): boolean {
  return reason === undefined || reason.includes("network policy");
}
