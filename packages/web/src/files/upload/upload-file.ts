import { AtollApiError, type AtollClient } from "@atoll/client";

/** Sends one file and reports its progress. */
export type UploadProgress = (
  file: File,
  onPercent: (percent: number) => void,
  signal: AbortSignal,
) => Promise<void>;

/** Why a file was refused. `code` is the server's, or `unnamed`, `empty` or `unsent` if it was never sent. */
export class UploadRefusal extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** Adds a file to an existing thread: its tables are loaded, and the model learns about them. */
export function uploadInto(client: AtollClient, threadId: string): UploadProgress {
  return async (file, onPercent, signal) => {
    if (file.name.trim() === "") throw new UploadRefusal("unnamed", "it has no name");
    if (file.size === 0) throw new UploadRefusal("empty", "it is empty");
    const answer = (await postFile("/upload", file, onPercent, signal)) as {
      files?: readonly { file_id: string }[];
    };
    const ids = (answer.files ?? []).map(({ file_id: id }) => id);
    onPercent(100);
    await client.threads.addData(threadId, ids, { signal }).catch((error: unknown) => {
      throw error instanceof AtollApiError ? new UploadRefusal(error.code, error.message) : error;
    });
  };
}

/** `fetch` does not report upload progress. */
export function postFile(
  path: string,
  file: File,
  onPercent: (percent: number) => void,
  signal?: AbortSignal,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const form = new FormData();
    form.append("file", file, file.name);
    request.upload.addEventListener("progress", ({ loaded, total }) =>
      onPercent(Math.min(99, Math.floor((100 * loaded) / Math.max(1, total)))),
    );
    request.addEventListener("error", () =>
      reject(new UploadRefusal("unsent", "it could not be read or sent")),
    );
    request.addEventListener("load", () => {
      const body = parse(request.responseText);
      if (request.status < 300) resolve(body);
      else reject(describeFailure(body, request.status));
    });
    signal?.addEventListener("abort", () => request.abort(), { once: true });
    request.open("POST", path);
    request.setRequestHeader("accept", "application/json");
    request.send(form);
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function describeFailure(body: unknown, status: number): UploadRefusal {
  const { code, message, hint } = (body ?? {}) as { code?: string; message?: string; hint?: string };
  const words = [message ?? `status ${status}`, hint ?? ""].filter((part) => part !== "").join(" ");
  return new UploadRefusal(code ?? "unknown", words);
}
