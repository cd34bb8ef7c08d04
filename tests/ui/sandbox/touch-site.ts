import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface TouchSite {
  readonly url: string;
  close(): Promise<void>;
}

/** A page whose upper half is a field and whose lower half is a button. */
const page = `<!doctype html><title>Ready</title><style>
  input, button { position: fixed; left: 0; width: 100%; height: 50%; font-size: 40px }
  input { top: 0 } button { bottom: 0 }</style>
  <input aria-label="Words"><button>Say</button>
  <script>
    const field = document.querySelector("input");
    document.querySelector("button").onclick = () => (document.title = "Said: " + field.value);
    field.onkeydown = ({ key }) => { if (key === "Enter") document.title = "Entered: " + field.value; };
  </script>`;

export async function openTouchSite(): Promise<TouchSite> {
  const server = createServer(({ url }, response) => {
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
    response.end(url === "/other" ? "<title>Another page</title><p>words" : page);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
