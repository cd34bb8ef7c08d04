import type { AtollClient } from "@atoll/client";
import { useCallback, useEffect, useMemo, useState } from "react";
import { useClient } from "../../app/client.tsx";
import { useToasts } from "../../app/toasts.tsx";

export type RemoteTerminal = ReturnType<ReturnType<AtollClient["threads"]["terminals"]>["attach"]>;

export interface OpenTerminal {
  readonly remote: RemoteTerminal;
  /** Counted from 1 in order of start. */
  readonly number: number;
  readonly isEnded: boolean;
}

interface Terminals {
  readonly list: readonly OpenTerminal[];
  readonly shown: OpenTerminal | undefined;
  show(id: string): void;
  open(): Promise<void>;
  /** Ends it if it still runs, and removes it. */
  close(id: string): Promise<void>;
  end(id: string): void;
}

const size = { cols: 80, rows: 24 };

/** The thread's shells. Attaches to those that run, or opens one if none does. */
export function useTerminals(threadId: string): Terminals {
  const client = useClient();
  const { attempt } = useToasts();
  const remotes = useMemo(() => client.threads.terminals(threadId), [client, threadId]);
  const [list, setList] = useState<readonly OpenTerminal[]>([]);
  const [chosen, choose] = useState<string>();
  const add = useCallback((remote: RemoteTerminal) => {
    setList((before) => {
      const number = Math.max(0, ...before.map((each) => each.number)) + 1;
      return [...before, { remote, number, isEnded: false }];
    });
    choose(remote.id);
  }, []);
  const open = useCallback(async () => {
    const remote = await attempt(remotes.open(size));
    if (remote) add(remote);
  }, [attempt, remotes, add]);
  useEffect(() => {
    const gone = new AbortController();
    const find = async () => {
      const known = await remotes.list({ signal: gone.signal }).catch(() => undefined);
      if (gone.signal.aborted) return;
      const running = known?.terminals.filter(({ is_running: isRunning }) => isRunning) ?? [];
      for (const { terminal_id: id } of running) add(remotes.attach(id));
      if (running.length === 0) await open();
    };
    void find();
    return () => {
      gone.abort();
      setList([]);
    };
  }, [remotes, add, open]);
  const close = async (id: string) => {
    const found = list.find(({ remote }) => remote.id === id);
    if (found && !found.isEnded) await found.remote.close().catch(() => {});
    setList((before) => before.filter(({ remote }) => remote.id !== id));
  };
  const end = (id: string) =>
    setList((before) => before.map((each) => (each.remote.id === id ? { ...each, isEnded: true } : each)));
  const shown = list.find(({ remote }) => remote.id === chosen) ?? list.at(-1);
  return { list, shown, show: choose, open, close, end };
}
