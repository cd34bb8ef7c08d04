import { useEffect, useState } from "react";
import { useClient } from "../app/client.tsx";
import { decodeText, type Encoding } from "./decode-text.ts";

const MOST_BYTES = 2_000_000;

export interface FileText {
  readonly text: string;
  readonly isCut: boolean;
  readonly encoding: Encoding;
  readonly sizeBytes: number;
  readonly etag: string;
}

interface State {
  readonly file?: FileText;
  readonly problem?: string;
}

/** The beginning of a file as text, or a `problem`. Read again when `version` changes. */
export function useFileText(threadId: string, path: string, version = 0): State {
  const client = useClient();
  const [state, setState] = useState<State>({});
  useEffect(() => {
    const end = new AbortController();
    const { signal } = end;
    const load = async () => {
      const files = client.threads.files(threadId);
      const range = { start: 0, end: MOST_BYTES - 1 };
      const file = await readText(await files.open(path, { range, signal }));
      setState((before) => (before.file?.etag === file.etag ? before : { file }));
    };
    load().catch((error: unknown) => {
      if (!signal.aborted) setState({ problem: error instanceof Error ? error.message : String(error) });
    });
    return () => end.abort();
  }, [client, threadId, path, version]);
  return state;
}

async function readText(response: Response): Promise<FileText> {
  const bytes = new Uint8Array(await response.arrayBuffer());
  const total = Number(/\/(\d+)$/.exec(response.headers.get("content-range") ?? "")?.[1] ?? bytes.length);
  const isCut = total > bytes.length;
  return {
    ...decodeText(bytes, isCut),
    isCut,
    sizeBytes: total,
    etag: response.headers.get("etag") ?? "",
  };
}
