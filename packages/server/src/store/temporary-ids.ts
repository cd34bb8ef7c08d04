import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/**
 * Temporary threads are known by their ids: their files lie apart from those of threads that last, and an id that was
 * given out and is no more belongs to a thread that has ended. A mark in the id tells one that was given out from any other.
 */
export function isTemporaryThread(threadId: string): boolean {
  return /^tmp[0-9a-f]{36}$/.test(threadId);
}

export function makeTemporaryThreadId(secret: Uint8Array): string {
  return mark(secret, randomBytes(12).toString("hex"));
}

/** The thread of a session that a client has named itself. */
export function threadIdOfSession(secret: Uint8Array, sessionId: string): string {
  return mark(secret, createHmac("sha256", secret).update(`session ${sessionId}`).digest("hex").slice(0, 24));
}

/** Whether a server with this secret has made it, be there such a thread now or not. */
export function wasGivenOut(secret: Uint8Array, threadId: string): boolean {
  if (!isTemporaryThread(threadId)) return false;
  return timingSafeEqual(Buffer.from(mark(secret, threadId.slice(3, 27))), Buffer.from(threadId));
}

const temporaryFile = /^temp_[0-9a-f]{32}$/;
const lastingFile = /^file_[0-9a-f]{32}$/;

export function makeFileId({ isTemporary = false } = {}): string {
  return `${isTemporary ? "temp" : "file"}_${randomBytes(16).toString("hex")}`;
}

export function isTemporaryFile(fileId: string): boolean {
  return temporaryFile.test(fileId);
}

export function isFileId(fileId: string): boolean {
  return lastingFile.test(fileId) || temporaryFile.test(fileId);
}

function mark(secret: Uint8Array, name: string): string {
  return `tmp${name}${createHmac("sha256", secret).update(`temporary ${name}`).digest("hex").slice(0, 12)}`;
}
