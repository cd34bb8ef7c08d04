import { z } from "zod";
import { named } from "./names.ts";

export const portListSchema = named(
  "PortList",
  z.object({
    ports: z.array(z.number().int()),
    previews: z.array(
      named(
        "Preview",
        z.object({
          port: z.number().int(),
          path: z.string().describe("Below this server's address: the page has no origin and no cookies"),
          url: z
            .string()
            .optional()
            .describe("An origin of its own, on the machine where the server listens"),
        }),
      ),
    ),
  }),
);
