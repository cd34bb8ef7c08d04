"""What a kernel has imported before it is forked, so that no sandbox pays for it."""

from __future__ import annotations

import importlib
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from typing import Any

from .fonts import add_wide_font
from .shown_tables import shown_tables

try:
    from .shell import make_shell
except ImportError as missing:
    print(f"without IPython ({missing}): no magics, plain values", file=sys.stderr)
    from .plain_shell import make_shell

# What the kernel itself makes use of, if it is there.
_OWN = ("cloudpickle", "threadpoolctl")
_USUAL = ("numpy", "pandas", "pyarrow", "matplotlib.pyplot")
_FIRST_CELL = "import asyncio as _a\n1 + 1"
_FIRST_TABLE = """
import pandas as _p
_f = _p.DataFrame({"a": [1, 2, 2], "b": ["x", "y", "y"]})
_f.groupby("b").a.sum().reset_index()
_f.describe(); _f.to_html(); repr(_f)
display(_f)
"""
_FIRST_PLOT = """
import io
import matplotlib.pyplot as plt, pandas as pd
pd.DataFrame({"a": [1, 2]}).plot(title="a")
plt.savefig(io.BytesIO())
plt.close("all")
"""
# What a parked kernel goes through: the shortest way to a table. Every page it touches is memory of its own.
_WARMUP_TABLE = """
import pandas as pd
pd.DataFrame({"a": [1, 2], "b": ["x", "y"]}).groupby("b").sum()
"""

_shell: Any = None


def preload(names: Sequence[str] = _USUAL) -> None:
    """Imports the libraries that are there, and makes the shell and uses it once. No thread is left alive, or it fails."""
    _copy_font_cache()
    for name in (*names, *_OWN):
        try:
            importlib.import_module(name)
        except Exception as error:  # A broken library must not cost the others.
            print(f"not preloaded: {name} ({error})", file=sys.stderr)
    if "matplotlib.pyplot" in sys.modules:
        add_wide_font()
    global _shell
    _shell = shell = make_shell()
    for cell in (_FIRST_CELL, *_first_cells(), "raise KeyError('warm-up')", "warm up:"):
        shell.run_cell(cell, store_history=True)
    shell.reset(new_session=True, aggressive=False)
    shown_tables.clear()
    shell.execution_count = 1
    _check_single_threaded()


def _first_cells() -> Iterator[str]:
    if "pandas" in sys.modules:
        yield _FIRST_TABLE
        if "matplotlib.pyplot" in sys.modules:
            yield _FIRST_PLOT


def warmup_cell() -> str:
    return _WARMUP_TABLE if "pandas" in sys.modules else _FIRST_CELL


def _check_single_threaded() -> None:
    if sys.platform == "emscripten":  # Has no threads at all.
        return
    threads = os.listdir("/proc/self/task")
    if len(threads) > 1:
        raise RuntimeError(f"{len(threads)} threads are alive after the imports; a fork would lose all but one")


def _copy_font_cache() -> None:
    """Matplotlib wants a folder it can write to, and would else search the machine's fonts again."""
    if ready := os.environ.get("ATOLL_MPLCONFIG"):
        os.environ["MPLCONFIGDIR"] = tempfile.mkdtemp()
        shutil.copytree(ready, os.environ["MPLCONFIGDIR"], dirs_exist_ok=True)


def flush_figures() -> None:
    """Those that a cell has left open come out now."""
    if backend := sys.modules.get(f"{__package__}.figures"):
        backend.flush_figures()


def use_threads(count: int) -> None:
    """Starts the pools of the linear-algebra libraries, in the process that will use them."""
    if threadpoolctl := sys.modules.get("threadpoolctl"):
        threadpoolctl.threadpool_limits(limits=count)


def shell() -> Any:
    return _shell
