"""Removes a folder with all it holds."""

from __future__ import annotations

import os


def remove_tree(path: str) -> None:
    """Without recursion, since user code may nest folders without end."""
    left, folders = [path], []
    while left:
        folder = left.pop()
        folders.append(folder)
        with os.scandir(folder) as entries:
            for entry in list(entries):
                if entry.is_dir(follow_symlinks=False):
                    left.append(entry.path)
                else:
                    os.unlink(entry.path)
    for folder in reversed(folders):
        os.rmdir(folder)
