"""IPython as a kernel: cells in, displayed values and errors out through callbacks, nothing printed of its own accord."""

from __future__ import annotations

import sys
import traceback
import warnings
from collections.abc import Callable
from typing import Any

from IPython.core.displayhook import DisplayHook
from IPython.core.displaypub import DisplayPublisher
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from .late_imports import when_imported
from .shown_tables import shown_tables
from .tables import TABLE_MIME

Publish = Callable[[dict[str, Any], bool], None]


class _Display(DisplayPublisher):
    def publish(self, data: dict[str, Any], metadata: object = None, **_: object) -> None:
        KernelShell.emit(data, False)

    def clear_output(self, wait: bool = False) -> None:
        """There is no screen to clear: what was shown stays in the log."""


class _MainValue(DisplayHook):
    def quiet(self) -> bool:
        """A cell that ends in a semicolon shows nothing. Only one that may do so is worth the full look."""
        cell = self.shell.last_raw_cell
        return ";" in cell[cell.rstrip().rfind("\n") + 1 :] and super().quiet()

    def write_output_prompt(self) -> None:
        pass

    def write_format_data(self, format_dict: dict[str, Any], md_dict: object = None) -> None:
        KernelShell.emit(format_dict, True)

    def finish_displayhook(self) -> None:
        pass

    def cull_cache(self) -> None:
        """Only the latest values are kept, and that is no news for the user's stderr."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            super().cull_cache()


class KernelShell(InteractiveShell):
    """One a process. `emit` is set by the kernel after its fork."""

    emit: Publish = staticmethod(lambda data, is_main: None)
    last_raw_cell = ""

    def init_display_formatter(self) -> None:
        super().init_display_formatter()
        # Data frames are shown as data; their type is looked up by name, so pandas need not be there.
        formatter = self.display_formatter.formatters["application/json"].__class__(parent=self.display_formatter)
        formatter.format_type, formatter.enabled = TABLE_MIME, True
        # Not `_repr_json_`: what shows itself as JSON is no table.
        formatter.print_method = "_repr_atoll_table_"
        for name in ("DataFrame", "Series"):
            for module in ("pandas", "pandas.core.frame", "pandas.core.series"):
                formatter.for_type_by_name(module, name, shown_tables.show)
        self.display_formatter.formatters[TABLE_MIME] = formatter

    def transform_cell(self, raw_cell: str) -> str:
        self.last_raw_cell = raw_cell
        self.last_transformed: str = super().transform_cell(raw_cell)
        return self.last_transformed

    def enable_matplotlib(self, gui: str | None = None) -> tuple[str, str]:
        """`%matplotlib inline` and the like change nothing: figures are always shown after the cell."""
        return gui or "inline", "inline"

    def enable_gui(self, gui: str | None = None) -> None:
        pass

    def init_io(self) -> None:
        pass

    def ask_exit(self) -> None:
        pass

    def showtraceback(self, *args: Any, **kwargs: Any) -> None:
        """An error that cannot even be shown must not hide behind the one that says so."""
        try:
            super().showtraceback(*args, **kwargs)
        except Exception:
            self.last_traceback = traceback.format_exc().splitlines()

    def _showtraceback(self, etype: type, evalue: BaseException, stb: list[str]) -> None:
        self.last_traceback = stb

    system = InteractiveShell.system_raw


def make_shell() -> KernelShell:
    config = Config()
    config.HistoryManager.enabled = False
    config.InteractiveShell.colors = _plain_colors()
    config.InteractiveShell.cache_size = 3
    config.InteractiveShell.autoindent = False
    # The other modes parse every source file on the stack: half a second for an error inside pandas.
    config.InteractiveShell.xmode = "Plain"
    shell = KernelShell.instance(config=config, displayhook_class=_MainValue, display_pub_class=_Display)
    when_imported("matplotlib", lambda: _connect_figures(shell))
    # Code that asks for `__main__` means the namespace of the cells.
    sys.modules["__main__"] = shell.user_module
    return shell


def _connect_figures(shell: KernelShell) -> None:
    from . import figures

    figures.connect(lambda data: KernelShell.emit(data, False))
    figures.install_formatter(shell.display_formatter)


def _plain_colors() -> str:
    from IPython import version_info

    return "nocolor" if version_info[0] >= 9 else "NoColor"
