import { Conversation } from "./conversation.js";
import { element } from "./markdown.js";

const at = (id) => document.getElementById(id);
let stream;
let threadId;

async function call(method, path, body) {
  const isForm = body instanceof FormData;
  const headers = body === undefined || isForm ? {} : { "content-type": "application/json" };
  const response = await fetch(path, { method, headers, body: isForm ? body : JSON.stringify(body) });
  const answer = await response.json().catch(() => ({}));
  if (!response.ok)
    throw new Error([answer.message, answer.hint].filter(Boolean).join(" ") || response.statusText);
  return answer;
}

function open(id) {
  threadId = id;
  history.replaceState(undefined, "", `/ui#${id}`);
  stream?.close();
  const conversation = new Conversation(at("log"));
  at("title").textContent = "New thread";
  at("export").hidden = false;
  at("export").href = `/thread/${id}/export?format=ipynb`;
  stream = new EventSource(`/thread/${id}/events?after=0`);
  for (const type of EVENTS) {
    stream.addEventListener(type, ({ data }) => {
      const event = JSON.parse(data);
      conversation.show(event);
      follow(event);
    });
  }
  void refresh();
}

const EVENTS =
  `message message_removed run_started data status token tool_call output result artifact code_run
tool_result approval approval_decided steered title error done sandbox`.split(/\s+/);

function follow(event) {
  if (event.type === "title") at("title").textContent = event.title;
  if (event.type === "run_started" || event.type === "done") {
    at("stop").hidden = event.type === "done";
    void refresh();
  }
  if (event.type === "data") void Promise.all([showStarters(), refresh()]);
}

/** Questions made from the table's own columns, until the first message. */
async function showStarters() {
  const { suggestions = [] } = await call("GET", `/thread/${threadId}/data`);
  if (at("log").querySelector(".user")) return;
  const buttons = suggestions.map((question) =>
    element("button", [question], { type: "button", onclick: () => send(question) }),
  );
  at("log").replaceChildren(element("div", buttons, { className: "starters" }));
}

async function refresh() {
  const query = at("search").value.trim();
  const [{ threads }, status] = await Promise.all([
    call("GET", `/threads?limit=50${query ? `&query=${encodeURIComponent(query)}` : ""}`),
    threadId ? call("GET", `/thread/${threadId}/status`).catch(() => undefined) : undefined,
  ]);
  at("threads").replaceChildren(
    ...threads.map(({ thread_id, title }) =>
      element("a", [title ?? "New thread"], {
        href: `#${thread_id}`,
        ariaCurrent: thread_id === threadId ? "page" : null,
      }),
    ),
  );
  const current = threads.find(({ thread_id }) => thread_id === threadId);
  if (current?.title) at("title").textContent = current.title;
  at("state").textContent = status?.sandbox_status ?? "";
  at("model").textContent = status?.model === "built-in" ? "Built-in analyst" : (status?.model ?? "");
}

async function send(text) {
  at("log").querySelector(".starters")?.remove();
  try {
    await call("POST", `/thread/${threadId}/messages`, { message: text });
  } catch (error) {
    tell(error);
    at("text").value ||= text;
  }
}

function tell(error) {
  at("log").append(element("div", [error.message], { className: "error" }));
}

async function create(fileIds) {
  try {
    open((await call("POST", "/thread/new", fileIds ? { file_ids: fileIds } : {})).thread_id);
  } catch (error) {
    tell(error);
  }
}

at("composer").addEventListener("submit", (event) => {
  event.preventDefault();
  const text = at("text").value.trim();
  if (!text || !threadId) return;
  at("text").value = "";
  void send(text);
});
at("text").addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === 229) return;
  event.preventDefault();
  at("composer").requestSubmit();
});
at("stop").addEventListener("click", () => call("POST", `/thread/${threadId}/stop`).catch(tell));
at("new").addEventListener("click", () => create());
at("search").addEventListener("input", () => refresh().catch(tell));
addEventListener("hashchange", () => open(location.hash.slice(1)));
at("files").addEventListener("change", async () => {
  const form = new FormData();
  for (const file of at("files").files) form.append("files", file);
  at("files").value = "";
  try {
    const { files } = await call("POST", "/upload", form);
    await create(files.map(({ file_id }) => file_id));
  } catch (error) {
    tell(error);
  }
});

const wanted = location.hash.slice(1);
const known = wanted && (await call("GET", `/thread/${wanted}/status`).catch(() => undefined));
if (known) open(wanted);
else await create();
