import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { guestFolder } from "../../drivers/_shared/guest-folder.ts";
import { MAX_BODY_BYTES, MAX_REPLY_HEADER_BYTES, MAX_REQUEST_HEADER_BYTES } from "./frames.ts";

describe("the limits of frames", () => {
  const source = readFileSync(join(guestFolder, "atoll_guest/protocol.py"), "utf8");

  it.each(Object.entries({ MAX_BODY_BYTES, MAX_REPLY_HEADER_BYTES, MAX_REQUEST_HEADER_BYTES }))(
    "are the same in the guest and its client: %s",
    (name, bytes) => {
      const factors = new RegExp(`^${name} = ([\\d *]+)$`, "m").exec(source)?.[1]?.split("*") ?? [];
      expect(factors.map(Number).reduce((product, factor) => product * factor, 1)).toBe(bytes);
    },
  );
});
