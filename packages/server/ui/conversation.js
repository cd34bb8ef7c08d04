import { element, renderMarkdown } from "./markdown.js";

/** Shows the events of one thread, whenever they come: a reload gives the same page as watching live. */
export class Conversation {
  #log;
  #answers = new Map();
  #calls = new Map();
  #messages = new Map();

  constructor(log) {
    this.#log = log;
    log.replaceChildren();
  }

  show(event) {
    const isNearEnd = this.#log.scrollHeight - this.#log.scrollTop - this.#log.clientHeight < 120;
    this.#kinds[event.type]?.call(this, event);
    if (isNearEnd) this.#log.scrollTop = this.#log.scrollHeight;
  }

  #kinds = {
    message({ message_id, text }) {
      const node = element("div", [text], { className: "user queued" });
      this.#messages.set(message_id, node);
      this.#log.append(node);
    },
    message_removed({ message_id }) {
      this.#messages.get(message_id)?.remove();
    },
    run_started({ run_id, message_id }) {
      this.#messages.get(message_id)?.classList.remove("queued");
      this.#answers.set(run_id, { status: this.#append("div", "status"), text: "", node: undefined });
    },
    status({ run_id, text }) {
      const answer = this.#answers.get(run_id);
      if (answer) answer.status.textContent = text;
    },
    token({ run_id, text }) {
      const answer = this.#answers.get(run_id);
      if (!answer) return;
      answer.node ??= this.#append("div", "answer");
      answer.text += text;
      answer.node.replaceChildren(renderMarkdown(answer.text));
    },
    tool_call({ run_id, call_id, tool, input }) {
      const answer = this.#answers.get(run_id);
      if (answer) Object.assign(answer, { node: undefined, text: "" });
      const code = input?.code ?? input?.command ?? JSON.stringify(input, null, 2);
      const title = element("summary", [`${tool} …`]);
      const output = element("pre", [], { hidden: true });
      this.#log.append(element("details", [title, element("pre", [code])]), output);
      this.#calls.set(call_id, { tool, title, output });
    },
    output({ call_id, text }) {
      const call = this.#calls.get(call_id);
      if (!call) return;
      call.output.hidden = false;
      call.output.append(text);
      call.output.scrollTop = call.output.scrollHeight;
    },
    result({ table, image, text }) {
      if (image) this.#log.append(element("img", [], { src: image.url, alt: "Figure made by the code" }));
      else if (table) this.#log.append(renderTable(table));
      else if (text) this.#log.append(element("pre", [text]));
    },
    code_run({ call_id, status, exec_ms, error }) {
      const call = this.#calls.get(call_id);
      if (call) call.title.textContent = `${call.tool}: ${status}, ${Math.round(exec_ms)} ms`;
      if (error)
        this.#append("pre", "error").textContent = error.traceback || `${error.name}: ${error.value}`;
    },
    artifact({ path, url, size_bytes }) {
      const name = `${path} (${size_bytes.toLocaleString()} bytes)`;
      this.#log.append(
        url ? element("a", [name], { href: url, download: path.split("/").pop() }) : element("div", [name]),
      );
    },
    sandbox({ text }) {
      this.#append("div", "notice").textContent = text;
    },
    error({ message, hint }) {
      this.#append("div", "error").textContent = [message, hint].filter(Boolean).join(" ");
    },
    done({ run_id, total_ms, model, status }) {
      const answer = this.#answers.get(run_id);
      const by = model === "built-in" ? "built-in analyst" : model;
      if (answer) answer.status.textContent = `${by}, ${status}, ${Math.round(total_ms)} ms`;
    },
  };

  #append(name, className) {
    const node = element(name, [], { className });
    this.#log.append(node);
    return node;
  }
}

function renderTable({ columns, rows, index, index_names, total_rows }) {
  const labels = index ? [(index_names ?? []).map((name) => name ?? "").join(", ")] : [];
  const head = [...labels, ...columns.map(({ name }) => name)].map((name) => element("th", [name]));
  const body = rows.map((row, at) => {
    const cells = index ? [[index[at]].flat().join(", "), ...row] : row;
    return element("tr", cells.map(renderCell));
  });
  const note =
    total_rows > rows.length
      ? [element("tr", [element("td", [`… ${total_rows.toLocaleString()} rows`])])]
      : [];
  return element("div", [element("table", [element("tr", head), ...body, ...note])], { className: "wide" });
}

function renderCell(value) {
  if (typeof value !== "number") return element("td", [value === null ? "" : String(value)]);
  return element("td", [value.toLocaleString(undefined, { maximumFractionDigits: 4 })], {
    className: "number",
  });
}
