import { AtollApiError } from "@atoll/client";
import { LogIn } from "lucide-react";
import { type FormEvent, useState } from "react";
import { refreshThreads } from "../history/list-refresh.ts";
import { useTexts } from "../i18n/language.tsx";
import { useClient } from "./client.tsx";
import { describeError } from "./describe-error.ts";

/** Signs in with the server's token when there is no valid cookie. Text in the composer is kept. */
export function SignIn() {
  const texts = useTexts();
  const client = useClient();
  const [token, setToken] = useState("");
  const [problem, setProblem] = useState("");
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setProblem("");
    try {
      await client.logIn(token.trim());
      refreshThreads();
    } catch (error) {
      const isWrong = error instanceof AtollApiError && error.status === 401;
      setProblem(isWrong ? texts.wrongToken : describeError(error, texts));
      setToken("");
      setBusy(false);
    }
  };
  return (
    <form className="banner sign-in" aria-label={texts.signIn} onSubmit={(event) => void submit(event)}>
      <LogIn size={18} aria-hidden />
      <p className="spread" role="alert">
        <strong>{texts.loggedOut}</strong> {problem === "" ? texts.loggedOutHint : problem}
      </p>
      <div className="row">
        <input
          className="field mono"
          type="password"
          autoComplete="current-password"
          value={token}
          aria-label={texts.token}
          placeholder={texts.token}
          aria-invalid={problem !== ""}
          onChange={(event) => setToken(event.target.value)}
        />
        <button type="submit" className="button primary" disabled={isBusy || !isToken(token.trim())}>
          {texts.signIn}
        </button>
      </div>
    </form>
  );
}

/** Other characters cannot be sent in a header. */
function isToken(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}
