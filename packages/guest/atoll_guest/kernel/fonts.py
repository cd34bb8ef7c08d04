"""Plots show Chinese, Japanese and Korean where the machine has a font with their signs.

Matplotlib's own font has none of them. Programs name those of their author's machine ("SimHei" more than any other),
which are not here: these names stand for the font that is.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

_FONTS = (
    "/usr/share/fonts/truetype/wqy/wqy-microhei.ttc",
    "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc",
    "/usr/share/fonts/truetype/wqy/wqy-zenhei.ttc",
    "/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf",
    "/System/Library/Fonts/PingFang.ttc",
    "/System/Library/Fonts/Hiragino Sans GB.ttc",
)
_USUAL_NAMES = (
    "SimHei",
    "SimSun",
    "Microsoft YaHei",
    "PingFang SC",
    "Heiti SC",
    "STHeiti",
    "Songti SC",
    "Arial Unicode MS",
    "Noto Sans CJK SC",
    "Noto Sans SC",
    "Source Han Sans SC",
    "Source Han Sans CN",
    "WenQuanYi Micro Hei",
    "WenQuanYi Zen Hei",
)


def add_wide_font() -> None:
    """Every text that is drawn may fall back on it, whatever font it asks for."""
    path = next((font for font in _FONTS if os.path.exists(font)), None)
    if path is None:
        return
    from matplotlib import font_manager

    manager = font_manager.fontManager
    known = {entry.name for entry in manager.ttflist}
    missing = [name for name in _USUAL_NAMES if name not in known]
    manager.ttflist.extend(font_manager.FontEntry(fname=path, name=name) for name in missing)
    # Matplotlib takes several fonts for one text from 3.6 on.
    if find := getattr(manager, "_find_fonts_by_props", None):
        manager._find_fonts_by_props = _with_fallback(find, path)


def _with_fallback(find: Callable[..., list[str]], path: str) -> Callable[..., list[str]]:
    def find_fonts(*args: Any, **kwargs: Any) -> list[str]:
        found = find(*args, **kwargs)
        return found if path in found else [*found, path]

    return find_fonts
