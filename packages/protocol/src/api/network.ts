import { z } from "zod";
import { trafficFields } from "../events/thread-events.ts";
import { wholeParam } from "./ids.ts";
import { named } from "./names.ts";

/** Only its shape: whether it names hosts is for the sandboxes' own check, which has the words for it. */
export const networkSchema = named(
  "NetworkPolicy",
  z
    .union(
      [
        z.enum(["none", "all-public"]),
        z.strictObject({
          allow: z
            .array(z.string().max(300))
            .max(500)
            .describe("Hosts: `example.com`, `*.example.com`, `example.com:8443`"),
        }),
      ],
      { error: 'must be "none", "all-public" or {"allow": ["example.com", …]}' },
    )
    .describe("What the sandbox may reach; addresses that are not public it never may"),
);

export const trafficQuery = z.object({
  limit: wholeParam(1, 1000).optional().describe("At most this many; default 100"),
});

const entry = named("TrafficEntry", z.object({ at: z.string(), ...trafficFields }));

export const threadTrafficSchema = named(
  "ThreadTraffic",
  z.object({ thread_id: z.string(), traffic: z.array(entry).describe("The newest first") }),
);

export const sandboxTrafficSchema = named(
  "SandboxTraffic",
  z.object({
    sandbox_id: z.string(),
    traffic: z.array(entry).describe("The newest first; since this server has the sandbox"),
  }),
);
