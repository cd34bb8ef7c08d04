import type { CDPSession, Page } from "playwright-core";

/** Drags files into the page from outside the browser. */
export class Drag {
  readonly #wire: CDPSession;
  readonly #data: { items: []; files: string[]; dragOperationsMask: number };
  #at = { x: 0, y: 0 };

  private constructor(wire: CDPSession, files: string[]) {
    this.#wire = wire;
    this.#data = { items: [], files, dragOperationsMask: 1 };
  }

  static async start(page: Page, files: string[]): Promise<Drag> {
    return new Drag(await page.context().newCDPSession(page), files);
  }

  async over(place: { boundingBox(): Promise<{ x: number; y: number } | null> }): Promise<void> {
    const box = await place.boundingBox();
    this.#at = { x: (box?.x ?? 0) + 5, y: (box?.y ?? 0) + 5 };
    await this.#send("dragEnter");
    await this.#send("dragOver");
  }

  drop = () => this.#send("drop");

  async #send(type: "dragEnter" | "dragOver" | "drop"): Promise<void> {
    await this.#wire.send("Input.dispatchDragEvent", { type, ...this.#at, data: this.#data });
  }
}

export async function setUploadSpeed(wire: CDPSession, bytesPerSecond: number): Promise<void> {
  await wire.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: bytesPerSecond,
  });
}

export async function copyPicture(page: Page): Promise<void> {
  await page.evaluate(`(async () => {
    const canvas = Object.assign(document.createElement("canvas"), { width: 4, height: 4 });
    canvas.getContext("2d").fillRect(0, 0, 4, 4);
    const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
    await navigator.clipboard.write([new ClipboardItem({ "image/png": blob })]);
  })()`);
}

/** Pastes files like a file manager; a page cannot put files on the clipboard. */
export async function pasteFiles(page: Page, files: { name: string; content: string }[]): Promise<void> {
  await page.evaluate(`{
    const clipboardData = new DataTransfer();
    for (const { name, content } of ${JSON.stringify(files)}) clipboardData.items.add(new File([content], name));
    document.body.dispatchEvent(
      new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }),
    );
  }`);
}
