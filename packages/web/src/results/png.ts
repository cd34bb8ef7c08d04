import { saveBlob } from "../ui/save.ts";

/** Reads a data URL. It comes from an untrusted frame, so anything but a PNG is refused. */
export function readPng(dataUrl: string): Blob {
  const [, encoded] = /^data:image\/png;base64,([\d+/A-Za-z]+=*)$/.exec(dataUrl) ?? [];
  if (encoded === undefined) throw new TypeError("not a PNG");
  return new Blob([Uint8Array.from(atob(encoded), (sign) => sign.charCodeAt(0))], { type: "image/png" });
}

/** Saves an image of any kind as a PNG. */
export async function saveAsPng(image: HTMLImageElement, name: string): Promise<void> {
  await image.decode();
  const { naturalWidth: width, naturalHeight: height } = image;
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  canvas.getContext("2d")?.drawImage(image, 0, 0, width, height);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
  if (blob) saveBlob(blob, `${name.replace(/\.\w+$/, "")}.png`);
}
