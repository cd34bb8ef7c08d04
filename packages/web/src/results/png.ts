import { saveBlob } from "../ui/save.ts";

/** The bytes behind an address that holds them. What is no PNG is refused: it comes from a frame that is not trusted. */
export function readPng(dataUrl: string): Blob {
  const [, encoded] = /^data:image\/png;base64,([\d+/A-Za-z]+=*)$/.exec(dataUrl) ?? [];
  if (encoded === undefined) throw new TypeError("not a PNG");
  return new Blob([Uint8Array.from(atob(encoded), (sign) => sign.charCodeAt(0))], { type: "image/png" });
}

/** A picture of any kind, as it is shown. */
export async function saveAsPng(image: HTMLImageElement, name: string): Promise<void> {
  await image.decode();
  const { naturalWidth: width, naturalHeight: height } = image;
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  canvas.getContext("2d")?.drawImage(image, 0, 0, width, height);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
  if (blob) saveBlob(blob, `${name.replace(/\.\w+$/, "")}.png`);
}
