"""A kernel's shell with its definitions, and cells run as the kernel runs them."""

from __future__ import annotations

import functools
import os
import sys
import tempfile
import unittest
import warnings
from typing import Any

from IPython.core.displayhook import DisplayHook
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from atoll_guest import snapshot
from atoll_guest.snapshot.definitions import Definitions

MiB = 1024 * 1024


class _Silent(DisplayHook):
    def write_output_prompt(self) -> None:
        pass

    def write_format_data(self, format_dict: object, md_dict: object = None) -> None:
        pass

    def finish_displayhook(self) -> None:
        pass


class Kernel:
    def __init__(self) -> None:
        config = Config()
        config.HistoryManager.enabled = False
        self.shell = InteractiveShell(config=config, displayhook_class=_Silent)
        self.shell._showtraceback = lambda *_: None
        self.definitions = Definitions()
        self._at_start = dict(self.shell.user_ns)
        self.baseline = set(self._at_start)

    def run(self, source: str) -> Any:
        """Raises what the cell raises; returns the value of its last expression."""
        sys.modules["__main__"] = self.shell.user_module
        result = self.shell.run_cell(source, store_history=True)
        self.definitions.record(self.shell.transform_cell(source))
        result.raise_error()
        return result.result

    def get(self, name: str) -> Any:
        return self.shell.user_ns[name]

    def save(self, path: str, **limits: Any) -> dict[str, Any]:
        defaults = {"max_value_bytes": 100 * MiB, "max_bytes": 500 * MiB, "value_timeout_s": 10.0}
        return snapshot.save(
            self.shell, self.definitions, path, baseline=self.baseline, **{**defaults, **limits}
        )

    def load(self, path: str, **options: Any) -> dict[str, Any]:
        sys.modules["__main__"] = self.shell.user_module
        return snapshot.load(self.shell, self.definitions, path, **options)

    def clear(self) -> None:
        """As good as a new kernel, and sooner there."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ResourceWarning)
            self.shell.user_ns.clear()
        self.shell.user_ns.update(self._at_start)
        self.shell.compile.reset_compiler_flags()
        self.definitions = Definitions()


@functools.cache
def the_kernel() -> Kernel:
    """To make one takes longer than most tests."""
    return Kernel()


class KernelTest(unittest.TestCase):
    def setUp(self) -> None:
        main = sys.modules["__main__"]
        self.addCleanup(sys.modules.__setitem__, "__main__", main)
        folder = tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None)
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "kernel.snapshot")
        self.kernel = the_kernel()
        self.kernel.clear()

    def run_cell(self, source: str) -> Any:
        return self.kernel.run(source)

    def save_and_load(self, **limits: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """Into a kernel in which nothing is left of what was."""
        saved = self.kernel.save(self.path, **limits)
        self.kernel.clear()
        return saved, self.kernel.load(self.path)

    def carry_over(self) -> None:
        """To a new kernel, without any loss."""
        saved, loaded = self.save_and_load()
        self.assertEqual(saved["lost"], [])
        self.assertEqual(loaded["lost"], [])
        self.assertEqual(saved["saved"], loaded["restored"])

    def assert_holds(self, expression: str) -> None:
        self.assertTrue(self.run_cell(expression), expression)


def reasons(report: dict[str, Any]) -> dict[str, str]:
    return {entry["name"]: entry["reason"] for entry in report["lost"]}
