import type { ChosenModel } from "./choice.ts";

const namesByAddress = new Map<string, string>();

/** Fills in the name where none was chosen: the first model that the server lists. Asked once for each address. */
export async function resolveModel(choice: ChosenModel, signal: AbortSignal): Promise<ChosenModel> {
  if (choice.model !== "" || choice.baseUrl === undefined) return choice;
  const model = namesByAddress.get(choice.baseUrl) ?? (await askFirstModel(choice, choice.baseUrl, signal));
  namesByAddress.set(choice.baseUrl, model);
  return { ...choice, model };
}

export class NoModelError extends Error {
  override readonly name = "NoModelError";
}

async function askFirstModel(choice: ChosenModel, baseUrl: string, signal: AbortSignal): Promise<string> {
  const response = await fetch(`${baseUrl.replace(/\/$/, "")}/models`, {
    headers: choice.apiKey ? { authorization: `Bearer ${choice.apiKey}` } : {},
    // The key is for this address, not for one that it names.
    redirect: "manual",
    signal: AbortSignal.any([signal, AbortSignal.timeout(10_000)]),
  });
  const listed = response.ok ? ((await response.json()) as { data?: { id?: unknown }[] } | null) : null;
  const first = listed?.data?.[0]?.id;
  if (typeof first === "string" && first !== "") return first;
  throw new NoModelError("the server lists no models");
}
