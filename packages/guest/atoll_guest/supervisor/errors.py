"""Failures that a client is told about, by code. The codes are those of the contract."""

from __future__ import annotations

import errno


class GuestError(Exception):
    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


_BY_ERRNO = {
    errno.ENOENT: "not_found",
    errno.EEXIST: "already_exists",
    errno.ENOTEMPTY: "already_exists",
    errno.EISDIR: "not_a_file",
    errno.ENXIO: "not_a_file",
    errno.ENOTDIR: "not_a_folder",
    errno.EACCES: "permission_denied",
    errno.EPERM: "permission_denied",
    errno.EROFS: "permission_denied",
    errno.ENOSPC: "disk_full",
    errno.EDQUOT: "disk_full",
    errno.EFBIG: "too_large",
    errno.ENAMETOOLONG: "invalid_argument",
    errno.ELOOP: "invalid_argument",
    errno.EINVAL: "invalid_argument",
    errno.EAGAIN: "busy",
    errno.EMFILE: "busy",
    errno.ENFILE: "busy",
    errno.EBUSY: "permission_denied",
    errno.ESRCH: "not_found",
}


def from_os_error(error: OSError, subject: str | None = None) -> GuestError:
    code = _BY_ERRNO.get(error.errno or 0, "internal")
    name = subject if subject is not None else error.filename
    return GuestError(code, f"{error.strerror or error}: {name}" if name else str(error.strerror or error))


def is_want_of_room(error: dict[str, str] | None) -> bool:
    """Whether a run failed because a write found no room; XFS says that of a quota too in the words for a full disk."""
    refusals = tuple(f"[Errno {number}]" for number in (errno.ENOSPC, errno.EDQUOT))
    return error is not None and error["name"] == "OSError" and error["value"].startswith(refusals)
