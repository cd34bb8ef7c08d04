import { z } from "zod";
import { named } from "./names.ts";

export const browserStateSchema = named(
  "BrowserState",
  z.object({
    url: z.string(),
    title: z.string(),
    tabs: z.array(
      named(
        "BrowserTab",
        z.object({ id: z.number().int(), url: z.string(), title: z.string(), is_current: z.boolean() }),
      ),
    ),
  }),
);

const place = z.number().min(-100).max(10_000);
const distance = z.number().min(-10_000).max(10_000);

/** Places are in the page's pixels, as `width` and `height` of a frame. */
export const browserInputSchema = named(
  "BrowserInput",
  z.discriminatedUnion("type", [
    z.strictObject({
      type: z.literal("mouse"),
      action: z.enum(["move", "down", "up", "click"]),
      x: place,
      y: place,
      button: z.enum(["left", "right", "middle"]).optional(),
    }),
    z.strictObject({ type: z.literal("wheel"), x: place, y: place, delta_x: distance, delta_y: distance }),
    z.strictObject({
      type: z.literal("key"),
      key: z.string().min(1).max(50).describe("e.g. Enter, ArrowDown, Control+a"),
    }),
    z.strictObject({ type: z.literal("text"), text: z.string().max(10_000) }),
    z.strictObject({ type: z.literal("navigate"), url: z.string().min(1).max(10_000) }),
    z.strictObject({ type: z.literal("history"), action: z.enum(["back", "forward", "reload"]) }),
    z.strictObject({
      type: z.literal("tab"),
      action: z.enum(["select", "close", "new"]),
      tab: z.int().min(1).max(1_000_000).optional(),
    }),
  ]),
);
