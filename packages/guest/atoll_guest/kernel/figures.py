"""A matplotlib backend that shows figures as PNG images: `matplotlib.use("module://atoll_guest.kernel.figures")`.

A shell connects it as soon as matplotlib is there. The kernel calls `flush_figures` after each cell for the figures
that are still open.
"""

from __future__ import annotations

import base64
import io
import sys
import weakref
from collections.abc import Callable
from typing import Any

import matplotlib
from matplotlib._pylab_helpers import Gcf
from matplotlib.backend_bases import FigureManagerBase
from matplotlib.backends.backend_agg import FigureCanvasAgg

_DPI = 110.0
_MAX_PIXELS = 25_000_000
_MAX_SIDE_PIXELS = 20_000

publish: Callable[[dict[str, object]], None] | None = None

_shown: weakref.WeakSet[Any] = weakref.WeakSet()


def connect(publish_image: Callable[[dict[str, object]], None]) -> None:
    """Makes this the backend, whatever the environment says: it is written for the programs that a cell starts."""
    global publish
    publish = publish_image
    matplotlib.rcParams["backend"] = f"module://{__name__}"


def show(*args: object, **kwargs: object) -> None:
    """`plt.show()`: every open figure is shown now, and closed. Never blocks."""
    flush_figures()


def flush_figures() -> None:
    """One that was displayed as a value, and not touched since, is only closed."""
    for manager in Gcf.get_all_fig_managers():
        figure = manager.canvas.figure
        try:
            if figure not in _shown or figure.stale:
                _show_one(manager.num, figure)
        finally:
            Gcf.destroy(manager)


def render_png(figure: Any) -> bytes:
    """The figure with its margins cut off, in its own resolution if it was given one."""
    dpi = _DPI if figure.dpi == matplotlib.rcParamsDefault["figure.dpi"] else figure.dpi
    png = _render(figure, dpi, "tight") or _render(figure, dpi, None)
    if png is None:
        width, height = figure.get_size_inches()
        dpi = min((_MAX_PIXELS / (width * height)) ** 0.5, _MAX_SIDE_PIXELS / max(width, height)) * 0.99
        png = _render(figure, dpi, None)
    _shown.add(figure)
    figure.stale = False
    return png or b""


def install_formatter(display_formatter: Any) -> None:
    """Makes a figure that is the value of a cell, or is passed to `display`, come out as an image."""
    display_formatter.formatters["image/png"].for_type_by_name("matplotlib.figure", "Figure", render_png)


class _TooLarge(Exception):
    pass


class FigureManager(FigureManagerBase):
    def show(self) -> None:
        """`figure.show()`"""
        try:
            _show_one(self.num, self.canvas.figure)
        finally:
            Gcf.destroy(self)


class FigureCanvas(FigureCanvasAgg):
    manager_class = FigureManager

    def get_renderer(self, *args: Any, **kwargs: Any) -> Any:
        width, height = self.figure.bbox.size
        if width * height > _MAX_PIXELS or max(width, height) > _MAX_SIDE_PIXELS:
            raise _TooLarge
        return super().get_renderer(*args, **kwargs)

    def draw_idle(self, *args: Any, **kwargs: Any) -> None:
        """After `plt.ion()` this is called for every change; the figure is drawn once, when it is shown."""


def _render(figure: Any, dpi: float, bounds: str | None) -> bytes | None:
    """None when the image would be too large: a figure of metres, or a text far outside the axes."""
    buffer = io.BytesIO()
    try:
        figure.canvas.print_figure(buffer, format="png", dpi=dpi, bbox_inches=bounds)
    except _TooLarge:
        return None
    return buffer.getvalue()


def _show_one(number: object, figure: Any) -> None:
    try:
        png = render_png(figure)
        text = str(figure)
    except Exception as error:
        print(f"Figure {number} could not be drawn: {type(error).__name__}: {error}", file=sys.stderr)
        return
    if publish is not None:
        publish({"image/png": base64.b64encode(png).decode(), "text/plain": text})
