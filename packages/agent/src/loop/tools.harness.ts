import type { Sandbox } from "@atoll/sandbox";
import type { Tool } from "@atoll/toolkit";
import { z } from "zod";
import { usualSandboxFacts } from "../prompt/system.ts";
import type { Awake } from "../request.ts";

/** For tests: a sandbox that nothing is done with. */
export const idleSandbox = async (): Promise<Awake> => ({
  sandbox: { id: "x", info: usualSandboxFacts } as unknown as Sandbox,
  state: "hot",
  wakeMs: 0,
});

/** For tests: says its text back, in capitals. */
export const shout: Tool<{ text: string }> = {
  name: "shout",
  description: "Shouts.",
  input: z.object({ text: z.string() }),
  isReadOnly: true,
  run: async ({ text }) => ({ text: text.toUpperCase(), isError: false }),
};

/** For tests: shows a picture. */
export const paint: Tool<object> = {
  name: "paint",
  description: "Paints.",
  input: z.object({}),
  isReadOnly: true,
  run: async () => ({
    text: "A picture.",
    isError: false,
    images: [{ name: "a.png", mime: "image/png", base64: "iVBORw0KGgo=" }],
  }),
};

/** For tests: calls tools as a program does, all at once, and says what came of it. */
export const relay: Tool<{ calls: { name: string; input: unknown }[] }> = {
  name: "relay",
  description: "Calls others.",
  input: z.object({ calls: z.array(z.object({ name: z.string(), input: z.unknown() })) }),
  isReadOnly: true,
  run: async ({ calls }, { calls: session, signal }) => {
    const outputs = await Promise.all(
      calls.map(({ name, input }) => session?.call(name, input, { signal, maxOutputChars: 20 })),
    );
    return {
      text: outputs.map((output) => `${output?.isError ? "!" : ""}${output?.text}`).join("\n"),
      isError: false,
    };
  },
};
