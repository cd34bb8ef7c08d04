/** Has the browser save a blob as a file. */
export function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = Object.assign(document.createElement("a"), { href: url, download: name });
  link.click();
  URL.revokeObjectURL(url);
}

export async function saveResponse(response: Response, name: string): Promise<void> {
  saveBlob(await response.blob(), name);
}

/** Has the browser download an address, without loading it into the page. */
export function saveUrl(url: string, name: string): void {
  Object.assign(document.createElement("a"), { href: url, download: name }).click();
}
