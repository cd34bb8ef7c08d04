import { Unplug } from "lucide-react";
import { useTexts } from "../i18n/language.tsx";
import { useReachability } from "./reachability.ts";
import { SignIn } from "./sign-in.tsx";

/** Shown while the server cannot be used, with what to do about it. */
export function ConnectionBanner() {
  const texts = useTexts();
  const reachability = useReachability();
  if (reachability === "up") return null;
  if (reachability === "denied") return <SignIn />;
  return (
    <div className="banner" role="alert">
      <Unplug size={18} aria-hidden />
      <p className="spread">
        <strong>{texts.serverDown}</strong> {texts.serverDownHint}
      </p>
      <button type="button" className="button small" onClick={() => location.reload()}>
        {texts.reload}
      </button>
    </div>
  );
}
