/** Gives the user something to keep. */
export function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = Object.assign(document.createElement("a"), { href: url, download: name });
  link.click();
  URL.revokeObjectURL(url);
}

export async function saveResponse(response: Response, name: string): Promise<void> {
  saveBlob(await response.blob(), name);
}

/** The browser fetches it by itself: nothing of it passes through the page. */
export function saveUrl(url: string, name: string): void {
  Object.assign(document.createElement("a"), { href: url, download: name }).click();
}
