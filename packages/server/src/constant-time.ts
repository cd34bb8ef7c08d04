import { createHmac, timingSafeEqual } from "node:crypto";

/** Compares two secrets in a time that depends neither on where they differ nor on their lengths. */
export function isEqual(given: string, expected: string): boolean {
  const digest = (text: string) => createHmac("sha256", "compare").update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
