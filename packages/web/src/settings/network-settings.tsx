import type { NetworkPolicy } from "@atoll/client";
import { useState } from "react";
import { useTexts } from "../i18n/language.tsx";

type Kind = "none" | "hosts" | "all-public";

/** Which hosts code in the sandbox may reach. */
export function NetworkSettings(props: {
  policy: NetworkPolicy;
  onChange(policy: NetworkPolicy): Promise<boolean>;
}) {
  const texts = useTexts();
  const { policy, onChange } = props;
  const current: Kind = typeof policy === "string" ? policy : "hosts";
  const [kind, setKind] = useState<Kind>(current);
  const [hosts, setHosts] = useState(typeof policy === "string" ? "" : policy.allow.join("\n"));
  const listed = readHosts(hosts);
  const names = { none: texts.networkNone, hosts: texts.networkHosts, "all-public": texts.networkAll };
  const choose = async (next: Kind) => {
    setKind(next);
    // A list takes effect once it has an entry.
    if (next !== "hosts" && !(await onChange(next))) setKind(current);
  };
  return (
    <section>
      <h3>{texts.network}</h3>
      <p className="quiet small-text">{texts.networkHint}</p>
      <div className="choices" role="radiogroup" aria-label={texts.network}>
        {(["none", "hosts", "all-public"] as const).map((each) => (
          <label key={each} className="row">
            <input type="radio" name="network" checked={kind === each} onChange={() => void choose(each)} />
            {names[each]}
          </label>
        ))}
      </div>
      {kind === "hosts" ? (
        <>
          <label className="setting">
            <span>{texts.hosts}</span>
            <textarea
              className="field mono"
              rows={4}
              value={hosts}
              onChange={(event) => setHosts(event.target.value)}
              placeholder={"data.example.org\n*.example.com"}
            />
          </label>
          <div>
            <button
              type="button"
              className="button small primary"
              disabled={listed.length === 0}
              onClick={() => void onChange({ allow: listed })}
            >
              {texts.save}
            </button>
          </div>
        </>
      ) : null}
    </section>
  );
}

function readHosts(text: string): readonly string[] {
  return [...new Set(text.split(/[\s,;，；、]+/).filter((host) => host !== ""))];
}
