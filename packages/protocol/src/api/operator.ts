import { z } from "zod";
import { threadParams } from "./ids.ts";
import { named } from "./names.ts";
import { metricsSchema } from "./threads.ts";

const jobKind = z.enum(["pause", "evict", "terminate", "delete"]);

export const jobParams = threadParams.extend({ kind: jobKind });

export const jobListSchema = named(
  "JobList",
  z.object({
    jobs: z.array(
      named(
        "Job",
        z.object({
          thread_id: z.string(),
          kind: jobKind.describe(
            "pause: hot → warm; evict: → cold; delete: the thread expires; terminate: a sandbox of no thread ends",
          ),
          state: z.enum(["waiting", "running", "dead"]).describe("dead: given up after the last try"),
          tries: z.number().int(),
          due_at: z.string(),
          scheduled_at: z.string(),
          last_error: z.string().optional(),
        }),
      ),
    ),
  }),
);

export const revivedSchema = named(
  "RevivedJob",
  z.object({ revived: z.boolean().describe("false: no such job has failed for good") }),
);

export const operatorSandboxesSchema = named(
  "ThreadSandboxList",
  z.object({
    counts: z.object({ hot: z.number().int(), warm: z.number().int(), cold: z.number().int() }),
    sandboxes: z
      .array(
        named(
          "ThreadSandbox",
          z.object({
            thread_id: z.string(),
            state: z.enum(["hot", "warm"]),
            since: z.string().optional(),
            last_used_at: z.string().optional(),
            is_in_use: z.boolean().describe("A call is under way, or somebody watches it: it does not rest"),
            metrics: metricsSchema.optional(),
          }),
        ),
      )
      .describe("Those that live, the longest in their state first; all other threads are cold"),
  }),
);

export const serverListSchema = named(
  "ServerList",
  z.object({
    servers: z
      .array(
        named(
          "ServerEntry",
          z.object({
            server_id: z.string(),
            url: z.string().describe("Where the other servers reach it"),
            started_at: z.string(),
            is_alive: z.boolean().describe("false: it died, and the others are taking over what it had"),
            is_this: z.boolean().describe("It is the one that answers"),
            threads: z
              .number()
              .int()
              .describe("Threads that it has now; those that nothing goes on in are nobody's"),
            sandboxes: z.number().int().describe("Programs' sandboxes that it has"),
          }),
        ),
      )
      .describe("Empty where there is one server without REDIS_URL and DATABASE_URL"),
  }),
);
