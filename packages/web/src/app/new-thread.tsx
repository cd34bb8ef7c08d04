import { useEffect, useState } from "react";
import { useTexts } from "../i18n/language.tsx";
import { useClient } from "./client.tsx";
import { describeError } from "./describe-error.ts";
import { useLayout } from "./layout.tsx";
import { PageSkeleton } from "./page-skeleton.tsx";
import { useReachability } from "./reachability.ts";
import { goTo } from "./route.ts";
import { TopBar } from "./top-bar.tsx";

const DRAFT_KEY = "atoll.draft";

/**
 * Creates a thread before the first question, so that its data is shown; the user can write meanwhile. An unused thread
 * is used again.
 */
export function NewThread({ isTemporary }: { isTemporary: boolean }) {
  const client = useClient();
  const texts = useTexts();
  const reachability = useReachability();
  const { isCovered } = useLayout();
  const [problem, setProblem] = useState<string>();
  const [attempts, tryAgain] = useState(0);
  useEffect(() => {
    let isGone = false;
    setProblem(undefined);
    const open = async () => {
      const threadId = await findDraft();
      if (!isGone) goTo({ page: "thread", threadId }, { replaces: true });
    };
    const make = (kind: "draft" | "temporary") =>
      (creating[kind] ??= client.threads
        .create({ wait: false, ...(kind === "temporary" ? { temporary: true } : {}) })
        .finally(() => delete creating[kind]));
    const findDraft = async (): Promise<string> => {
      if (isTemporary) return (await make("temporary")).thread_id;
      const draft = sessionStorage.getItem(DRAFT_KEY);
      const known = draft ? await client.threads.get(draft).catch(() => undefined) : undefined;
      if (known && known.message_count === 0) return known.thread_id;
      const created = await make("draft");
      sessionStorage.setItem(DRAFT_KEY, created.thread_id);
      return created.thread_id;
    };
    // If the server is unreachable, the banner says so and this runs again once it is back.
    if (reachability === "up")
      open().catch((error: unknown) => !isGone && setProblem(describeError(error, texts)));
    return () => {
      isGone = true;
    };
  }, [client, reachability, attempts, texts, isTemporary]);
  return (
    <main className="main" inert={isCovered}>
      <TopBar />
      {problem === undefined ? (
        <PageSkeleton />
      ) : (
        <div className="page-problem">
          <p className="failure">{problem}</p>
          <button type="button" className="button primary" onClick={() => tryAgain((count) => count + 1)}>
            {texts.tryAgain}
          </button>
        </div>
      )}
    </main>
  );
}

/** Concurrent callers share one new thread. */
const creating: Partial<
  Record<"draft" | "temporary", ReturnType<ReturnType<typeof useClient>["threads"]["create"]>>
> = {};
