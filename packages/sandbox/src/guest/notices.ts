import { makeNotice, type Notice, NOTICE_CODES, type NoticeCode } from "@atoll/protocol";

/** What a guest says of a run: a code with values. A guest of an earlier version sends the sentence itself. */
export type GuestNotice = string | (Pick<Notice, "values"> & { readonly code: string });

/** The notices of a result: in English for every reader, and as codes for those who say them in another language. */
export interface RunNotices {
  readonly notices: readonly string[];
  /** The same as codes with values. Absent when there are none. */
  readonly codedNotices?: readonly Notice[];
}

export function readNotices(notices: readonly GuestNotice[]): RunNotices {
  return describeNotices(notices.map(readNotice));
}

export function describeNotices(notices: readonly Notice[]): RunNotices {
  return {
    notices: notices.map(({ text }) => text),
    ...(notices.length > 0 && { codedNotices: notices }),
  };
}

/** The notices of a result that may have been made without codes. */
export function listNotices({ notices, codedNotices }: RunNotices): readonly Notice[] {
  return codedNotices ?? notices.map((text) => makeNotice("other", { text }));
}

function readNotice(notice: GuestNotice): Notice {
  if (typeof notice === "string") return makeNotice("other", { text: notice });
  const { code, values } = notice;
  return isKnown(code) ? makeNotice(code, values as never) : makeNotice("other", { text: code });
}

function isKnown(code: string): code is NoticeCode {
  return (NOTICE_CODES as readonly string[]).includes(code);
}
