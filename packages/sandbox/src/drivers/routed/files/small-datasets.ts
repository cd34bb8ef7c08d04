import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { LightCapacity } from "./shared-files.ts";

/** Of the data sets, those that the light sandbox can take: the smaller ones first, as long as there is room. */
export async function chooseSmall(
  datasets: Readonly<Record<string, string>>,
  { fileBytes, totalBytes }: LightCapacity,
): Promise<Record<string, string>> {
  const measured = await Promise.all(
    Object.entries(datasets).map(async ([name, path]) => ({
      name,
      path,
      bytes: await measure(path, fileBytes),
    })),
  );
  let leftBytes = totalBytes;
  const small = measured
    .toSorted((one, other) => one.bytes - other.bytes)
    .filter(({ bytes }) => {
      const fits = bytes <= fileBytes && bytes <= leftBytes;
      if (fits) leftBytes -= bytes;
      return fits;
    });
  return Object.fromEntries(small.map(({ name, path }) => [name, path]));
}

/** Of all that is in it; not further than it matters. What is not there is the drivers' to refuse. */
async function measure(path: string, maxBytes: number): Promise<number> {
  const facts = await stat(path).catch(() => undefined);
  if (!facts?.isDirectory()) return facts?.size ?? 0;
  let bytes = 0;
  for (const name of await readdir(path)) {
    bytes += await measure(join(path, name), maxBytes - bytes);
    if (bytes > maxBytes) break;
  }
  return bytes;
}
