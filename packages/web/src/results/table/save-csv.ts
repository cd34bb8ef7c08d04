/** Has the browser download a table from the server. False if the server no longer has it. */
export async function saveCsv(url: string): Promise<boolean> {
  const answer = await fetch(url).catch(() => undefined);
  await answer?.body?.cancel();
  if (!answer?.ok) return false;
  Object.assign(document.createElement("a"), { href: url, download: "table.csv" }).click();
  return true;
}
