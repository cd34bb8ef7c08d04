import { useCallback, useMemo, useRef, useState } from "react";
import { type UploadProgress, UploadRefusal } from "./upload-file.ts";

export interface Upload {
  readonly id: number;
  readonly name: string;
  readonly state: "sending" | "done" | "failed";
  /** 100 once it is sent, while the server still reads it. */
  readonly percent: number;
  readonly reason?: string;
  /** The server's error code. */
  readonly code?: string;
}

/** Uploads since the last question, running and finished. */
export interface Uploads {
  readonly list: readonly Upload[];
  readonly isBusy: boolean;
  add(files: readonly File[]): void;
  tryAgain(id: number): void;
  /** Removes an upload from the list, and aborts it if it is running. */
  drop(id: number): void;
  /** Clears finished uploads. Failed ones stay until the user hides them. */
  clear(): void;
}

interface Submission {
  readonly file: File;
  end: AbortController;
}

let lastId = 0;

/** `send` uploads one file. */
export function useUploads(send: UploadProgress): Uploads {
  const [list, setList] = useState<readonly Upload[]>([]);
  const submissions = useRef(new Map<number, Submission>());
  const start = useCallback(
    (id: number, { file, end }: Submission) => {
      const change = (changes: Partial<Upload>) => {
        if (end.signal.aborted) return;
        setList((uploads) =>
          uploads.map((upload) => (upload.id === id ? { ...upload, ...changes } : upload)),
        );
      };
      send(file, (percent) => change({ percent }), end.signal).then(
        () => change({ state: "done", percent: 100 }),
        (error: unknown) => change({ state: "failed", ...describeFailure(error) }),
      );
    },
    [send],
  );
  const add = useCallback(
    (files: readonly File[]) => {
      for (const file of files) {
        const id = ++lastId;
        const one = { file, end: new AbortController() };
        submissions.current.set(id, one);
        setList((uploads) => [...uploads, { id, name: file.name, state: "sending", percent: 0 }]);
        start(id, one);
      }
    },
    [start],
  );
  const tryAgain = useCallback(
    (id: number) => {
      const one = submissions.current.get(id);
      if (!one) return;
      setList((uploads) =>
        uploads.map((upload) =>
          upload.id === id ? { id, name: upload.name, state: "sending", percent: 0 } : upload,
        ),
      );
      one.end = new AbortController();
      start(id, one);
    },
    [start],
  );
  const drop = useCallback((id: number) => {
    submissions.current.get(id)?.end.abort();
    submissions.current.delete(id);
    setList((uploads) => uploads.filter((upload) => upload.id !== id));
  }, []);
  const clear = useCallback(() => setList((uploads) => uploads.filter(({ state }) => state !== "done")), []);
  return useMemo(
    () => ({
      list,
      isBusy: list.some(({ state }) => state === "sending"),
      add,
      tryAgain,
      drop,
      clear,
    }),
    [list, add, tryAgain, drop, clear],
  );
}

function describeFailure(error: unknown): Pick<Upload, "reason" | "code"> {
  const reason = error instanceof Error ? error.message : String(error);
  return error instanceof UploadRefusal ? { reason, code: error.code } : { reason };
}
