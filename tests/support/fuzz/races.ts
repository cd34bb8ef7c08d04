import { HANG_MS } from "./wire.ts";

/** Requests that get in each other's way. Each race gives all of its answers. */
export const races: Readonly<Record<string, (at: At) => Promise<Response[]>>> = {
  "a sandbox is removed while it is read, written and run": async (at) => {
    const id = await at.newSandbox();
    const using = [
      at.post(`/sandboxes/${id}/python`, { code: "import time; time.sleep(5)" }),
      at.post(`/sandboxes/${id}/commands`, { command: "sleep 5" }),
      at.put(`/sandboxes/${id}/files/content?path=a.txt`, "x".repeat(100_000)),
      at.get(`/sandboxes/${id}/files?recursive=true`),
      at.get(`/sandboxes/${id}/files.zip`),
      at.get(`/sandboxes/${id}/metrics`),
      at.post(`/sandboxes/${id}/snapshot`, {}),
    ];
    return Promise.all([...using, at.remove(`/sandboxes/${id}`), at.remove(`/sandboxes/${id}`)]);
  },
  "a sandbox is paused and resumed while it runs": async (at) => {
    const id = await at.newSandbox();
    const turns = ["pause", "resume", "pause", "pause", "resume", "resume"];
    const answers = await Promise.all([
      at.post(`/sandboxes/${id}/python`, { code: "sum(range(10**6))", timeout_ms: 5000 }),
      ...turns.map((verb) => at.post(`/sandboxes/${id}/${verb}`)),
    ]);
    return [...answers, await at.post(`/sandboxes/${id}/resume`), await at.remove(`/sandboxes/${id}`)];
  },
  "one id is asked for by many": async (at) => {
    const made = await Promise.all([1, 2, 3, 4, 5].map(() => at.post("/sandboxes", { id: "race-one" })));
    if (made.filter(({ status }) => status === 201).length !== 1)
      throw new Error(`not one, but ${made.map(({ status }) => status).join(", ")}`);
    return [...made, await at.remove("/sandboxes/race-one")];
  },
  "a file is written, read in ranges, moved and removed by many": async (at) => {
    const id = await at.newSandbox();
    const path = `/sandboxes/${id}/files/content?path=same.txt`;
    const each = [1, 2, 3, 4, 5].flatMap((digit) => [
      at.put(path, String(digit).repeat(50_000)),
      at.get(path, { range: "bytes=100-40000" }),
      at.get(path),
      at.post(`/sandboxes/${id}/files/move`, { from: "same.txt", to: "other.txt", overwrite: true }),
      at.remove(path),
    ]);
    return [...(await Promise.all(each)), await at.remove(`/sandboxes/${id}`)];
  },
  "a thread is stopped while it starts, and removed while it is read": async (at) => {
    const id = await at.newThread();
    const reading = [
      at.post(`/thread/${id}/message`, { message: "total amount by category" }),
      at.post(`/thread/${id}/stop`),
      at.post(`/thread/${id}/message`, { message: "and by month?" }),
      at.get(`/thread/${id}/history`),
      at.get(`/thread/${id}/export?format=ipynb`),
      at.get(`/thread/${id}/files.zip`),
      at.get(`/thread/${id}/status`),
    ];
    return Promise.all([...reading, at.remove(`/thread/${id}`), at.remove(`/thread/${id}`)]);
  },
  "an upload is removed while threads are made of it": async (at) => {
    const form = new FormData();
    form.append("files", new Blob(["a,b\n1,2\n"]), "a.csv");
    const response = await fetch(`${at.url}/upload`, { method: "POST", body: form });
    const { files } = (await response.json()) as { files: { file_id: string }[] };
    const fileId = files[0]?.file_id ?? "";
    return Promise.all([
      at.post("/thread/new", { file_ids: [fileId] }),
      at.remove(`/files/${fileId}`),
      at.post("/thread/new", { file_ids: [fileId] }),
      at.post("/sandboxes", { file_ids: [fileId] }),
      at.get(`/files/${fileId}`),
    ]);
  },
};

/** The server, as a race sees it. */
export class At {
  readonly url: string;

  constructor(url: string) {
    this.url = url;
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Response> {
    return this.#ask(path, { headers });
  }
  put(path: string, body: string): Promise<Response> {
    return this.#ask(path, { method: "PUT", body });
  }
  remove(path: string): Promise<Response> {
    return this.#ask(path, { method: "DELETE" });
  }
  post(path: string, body?: unknown): Promise<Response> {
    const init = { method: "POST", headers: { "content-type": "application/json" } };
    return this.#ask(path, body === undefined ? { method: "POST" } : { ...init, body: JSON.stringify(body) });
  }
  async newSandbox(): Promise<string> {
    return ((await (await this.post("/sandboxes", {})).json()) as { sandbox_id: string }).sandbox_id;
  }
  async newThread(): Promise<string> {
    return ((await (await this.post("/thread/new", {})).json()) as { thread_id: string }).thread_id;
  }

  async #ask(path: string, init: RequestInit): Promise<Response> {
    const response = await fetch(this.url + path, { ...init, signal: AbortSignal.timeout(HANG_MS) });
    // Read here: an unread answer holds its connection. An answer that breaks off has ended.
    const body = await response.arrayBuffer().catch(() => new ArrayBuffer());
    return new Response(response.status === 304 || response.status === 204 ? null : body, response);
  }
}
