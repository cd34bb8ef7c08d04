import { z } from "zod";

/** Of Python. Letters of any script are allowed there too. */
export const variableName = z
  .string()
  .max(100)
  .regex(/^[\p{L}_][\p{L}\p{N}_]*$/u, "a Python name");
