/** Every code of an `AtollError`: what failed, for programs. */
export const errorCodes = [
  "invalid_argument", // the call itself is wrong; the message names the option
  "not_supported", // this driver or mode lacks the ability
  "not_found", // no such file, command, context, sandbox
  "already_exists",
  "not_a_file", // a folder, FIFO, socket or device where a regular file is needed
  "not_a_folder",
  "permission_denied", // refused by the sandbox's own file system
  "disk_full", // the sandbox's disk limit or the host's disk
  "too_large", // past a size limit; the message names it
  "too_many_entries",
  "busy", // the kernel context is running something else
  "timeout", // a call other than a run took too long
  "aborted", // the caller's signal
  "sandbox_paused",
  "sandbox_dead", // its processes have ended; files may still be there
  "snapshot_invalid", // truncated or not a snapshot
  "runtime_unavailable", // this machine cannot give the driver what it needs; the message says what is missing
  "unavailable", // a service that the server stands on is away or too slow; the message names it
  "not_owner", // another server owns the thread now
  "protocol_error", // guest and client do not understand each other
  "damaged", // what was stored is not what is on the disk now; the message names it
  "internal", // a defect of ours
] as const;

export type ErrorCode = (typeof errorCodes)[number];
