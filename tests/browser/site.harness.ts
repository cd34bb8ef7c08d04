import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";

export interface Site {
  readonly url: string;
  /** Of those that hung, how many have been given up. */
  readonly givenUp: { count: number };
  close(): Promise<void>;
}

/** Longer than what is waited for a page's own requests. */
const LATE_MS = 3000;

type Answer = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

/** Pages as the web has them, good and bad, on this machine's loopback. */
export async function openSite(): Promise<Site> {
  const givenUp = { count: 0 };
  const pages: Record<string, Answer> = {
    "/": html(`<title>起点</title><h1>Start</h1><a href="/form">To the form</a> <a href="/file.csv">A file</a>
      <a href="/form" target="_blank">In a new tab</a>
      <button onclick="window.open('/popup', 'p', 'width=300,height=200')">Pop up</button>
      <button onclick="document.title = confirm('Really?') ? 'yes' : 'no'">Ask</button>
      <button onclick="document.title = prompt('Your name?') ?? 'nobody'">Prompt</button>
      <img src="http://elsewhere.test/pixel.png">`),
    "/form": html(`<title>Form</title><form action="/sent" method="post">
      <label>Name <input name="name"></label> <label>Note <textarea name="note">old</textarea></label>
      <label>City <select name="city"><option>Paris</option><option value="bj">北京</option></select></label>
      <label><input type="checkbox" name="agree"> Agree</label><button>Send</button></form>`),
    "/sent": async (request, response) => {
      const fields = [...new URLSearchParams(await text(request))].map(([name, value]) => `${name}=${value}`);
      html(`<title>Sent</title><p>${fields.join("; ")}</p>`)(request, response);
    },
    "/popup": html(
      `<title>Popup</title><p>I popped up</p><button onclick="window.close()">Close me</button>`,
    ),
    "/file.csv": (_, response) => {
      response.writeHead(200, {
        "content-type": "text/csv",
        "content-disposition": `attachment; filename="../../evil.csv"; filename*=UTF-8''..%2F..%2F${encodeURIComponent("表")}.csv`,
      });
      response.end("a,b\n1,2\n");
    },
    "/late": async (request, response) => {
      await sleep(LATE_MS);
      html("<title>Late</title><p>Better late</p>")(request, response);
    },
    "/around": (_, response) => void response.writeHead(302, { location: "/form" }).end(),
    "/nothing": (_, response) => void response.writeHead(204).end(),
    "/never": (_, response) => void response.once("close", () => (givenUp.count += 1)),
    "/half": (_, response) => {
      response.writeHead(200, { "content-type": "text/html" });
      response.write("<title>Half</title><h1>The first half</h1>");
      response.once("close", () => (givenUp.count += 1));
    },
    "/huge": async (_, response) => {
      response.writeHead(200, { "content-type": "text/html" });
      await pipeline(writeHugePage, response);
    },
    "/memory": html(`<title>Memory</title><p id="p"></p><button onclick="
      localStorage.setItem('kept', 'stored'); document.cookie='kept=baked; max-age=3600'; document.title='Saved'">Save</button>
      <script>p.textContent = 'cookie: ' + document.cookie + ' storage: ' + localStorage.getItem('kept')</script>`),
    "/upload": html(`<title>Upload</title><input type="file" aria-label="File" onchange="
      files[0].text().then((text) => document.title = files[0].name + ': ' + text)">`),
    "/busy": html(`<title>Busy</title><button onclick="for (;;);">Hang</button>`),
    "/quiet": html(`<title>Quiet</title><script>onkeydown = () => (document.title = "Renamed")</script>`),
    "/gone": (_, response) =>
      void response.writeHead(404, { "content-type": "text/html" }).end("<p>Gone</p>"),
    "/leave": (_, response) => void response.writeHead(302, { location: "http://elsewhere.test/" }).end(),
  };
  const server = createServer((request, response) => {
    const answer = pages[new URL(request.url ?? "", "http://site").pathname];
    if (answer) void Promise.resolve(answer(request, response)).catch(() => response.destroy());
    else response.writeHead(404).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    givenUp,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function* writeHugePage(): Generator<string> {
  yield `<title>Huge</title><h1>Top of it</h1><button onclick="document.title='pressed'">Press</button>`;
  const rows = `<p>${"word ".repeat(200)}</p>`.repeat(50);
  for (let sent = 0; sent < 50_000_000; sent += rows.length) yield rows;
  yield "<p>The end</p>";
}

function html(body: string): Answer {
  return (_, response) => {
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(body);
  };
}
