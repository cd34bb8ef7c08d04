import { randomInt } from "node:crypto";

const alphabet = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

/** Nine letters and digits: the one form of id that every provider takes in a conversation. */
export function makeCallId(): string {
  return Array.from({ length: 9 }, () => alphabet[randomInt(alphabet.length)]).join("");
}
