"""A kernel's variables, saved to a file and brought back in another kernel."""

from .definitions import Definitions
from .restore import load
from .save import check, save
from .snapshot_file import SnapshotInvalid

__all__ = ["Definitions", "SnapshotInvalid", "check", "load", "save"]
