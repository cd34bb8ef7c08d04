import { isDeepStrictEqual } from "node:util";
import { AtollError } from "@atoll/sandbox";
import type { GuardedSession } from "../../session/tool-session.ts";

/** Puts what a back end is asked to do through the rules of a session. */
export interface Guard {
  /** The arguments to go by, or why not. */
  ask<Input extends object>(tool: string, input: Input): Promise<Input | { refusal: string }>;
  /** The arguments to go by. A refusal is thrown as `permission_denied`. */
  pass<Input extends object>(tool: string, input: Input): Promise<Input>;
  /** The same where arguments cannot be changed on the way: one that was changed is refused. */
  passAsIs(tool: string, input: object): Promise<void>;
}

export function createGuard(session: GuardedSession): Guard {
  const ask: Guard["ask"] = async (tool, input) => {
    const permitted = await session.permit(tool, input);
    if ("refusal" in permitted) return { refusal: permitted.refusal.text };
    // It fits the tool, so that those that it must have are there. Others there is no use for.
    const added = Object.keys(permitted.input as object).filter((name) => !(name in input));
    if (added.length > 0) return { refusal: `${tool} cannot be given ${added.join(", ")} here.` };
    return permitted.input as typeof input;
  };
  const pass: Guard["pass"] = async (tool, input) => {
    const permitted = await ask(tool, input);
    if ("refusal" in permitted) throw new RefusedError(permitted.refusal as string);
    return permitted;
  };
  return {
    ask,
    pass,
    async passAsIs(tool, input) {
      if (!isDeepStrictEqual(await pass(tool, input), input))
        throw new RefusedError(`The arguments of ${tool} cannot be changed here: refuse the call instead.`);
    },
  };
}

/** Not for lack of a permission inside the sandbox, where another place would help. */
export class RefusedError extends AtollError {
  constructor(message: string) {
    super("permission_denied", message);
  }
}
