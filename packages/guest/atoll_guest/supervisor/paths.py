"""Paths as a client gives them."""

from __future__ import annotations

import os
import re

from .errors import GuestError

_CONTEXT_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")


def resolve(workspace: str, path: object) -> str:
    """Relative paths start in the workspace."""
    if not isinstance(path, str) or not path or "\0" in path:
        raise GuestError("invalid_argument", "a path is a text that is not empty and has no NUL character")
    return os.path.normpath(os.path.join(workspace, path))


def snapshot_path(session: str, context: str) -> str:
    if not _CONTEXT_NAME.fullmatch(context):
        raise GuestError("invalid_argument", "a context's name is 1 to 64 of the characters a-z A-Z 0-9 _ -")
    return f"{session}/.snapshots/{context}.snapshot"
