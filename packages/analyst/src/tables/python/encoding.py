"""Which encoding a text file has, and the file as UTF-8 whatever it has."""

from __future__ import annotations

import codecs
import io
import re
from dataclasses import dataclass
from typing import Any

_CHUNK_BYTES = 4 * 1024 * 1024
_SAMPLE_BYTES = 256 * 1024
_CONTROLS = bytes({*range(32), 127} - set(b"\t\n\r\f\x1b"))
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


class NotText(Exception):
    pass


@dataclass(frozen=True)
class Encoding:
    name: str
    # "replace" when single bytes are broken in a text that is otherwise sound.
    errors: str = "strict"

    @property
    def is_utf8(self) -> bool:
        return self.name in ("utf-8", "utf-8-sig") and self.errors == "strict"


def detect_encoding(path: str) -> Encoding:
    """Looks at the whole file: one wrong byte at its end would stop a reader just the same. Raises NotText."""
    with open(path, "rb") as file:
        head = file.read(_SAMPLE_BYTES)
        for bom, name in _BOMS:
            if head.startswith(bom):
                return _checked(file, name, head)
        if guess := _utf16_without_bom(head):
            return _checked(file, guess, head)
        if _is_binary(head):
            raise NotText("it is a binary file, not text")
        offset = _first_fault(file, "utf-8")
        if offset is None:
            return Encoding("utf-8")
        file.seek(max(0, offset - _SAMPLE_BYTES // 4))
        around = file.read(_SAMPLE_BYTES)
    from .encoding_scores import most_likely_encoding

    best = most_likely_encoding(head + b"\n" + around)
    if best == "utf-8":
        return Encoding("utf-8", "replace")
    with open(path, "rb") as file:
        return _checked(file, best, head)


def open_as_utf8(path: str, encoding: Encoding) -> io.RawIOBase | io.BufferedReader:
    """Sequential reading; no byte order mark."""
    file = open(path, "rb")  # noqa: SIM115
    if not encoding.is_utf8:
        return _Recoded(file, encoding)
    if encoding.name == "utf-8-sig":
        file.seek(len(codecs.BOM_UTF8))
    return file


class _Recoded(io.RawIOBase):
    def __init__(self, file: Any, encoding: Encoding) -> None:
        self._file = file
        self._decoder = codecs.getincrementaldecoder(encoding.name)(encoding.errors)
        self._rest = b""

    def readable(self) -> bool:
        return True

    def readinto(self, target: Any) -> int:
        while not self._rest:
            chunk = self._file.read(1024 * 1024)
            self._rest = self._decoder.decode(chunk, not chunk).encode("utf-8", "replace")
            if not chunk and not self._rest:
                return 0
        count = min(len(target), len(self._rest))
        target[:count] = self._rest[:count]
        self._rest = self._rest[count:]
        return count

    def close(self) -> None:
        self._file.close()
        super().close()


def _checked(file: Any, name: str, head: bytes) -> Encoding:
    if name.startswith(("utf-16", "utf-32")):
        text = head[: len(head) // 4 * 4].decode(name, "replace")
        # Chosen by its first bytes alone; a picture may begin in the same way.
        if len(re.findall("[\ufffd\0-\x08\x0e-\x1f]", text)) > len(text) // 20:
            raise NotText("it is a binary file, not text")
    return Encoding(name, "strict" if _first_fault(file, name) is None else "replace")


def _first_fault(file: Any, name: str) -> int | None:
    """Where decoding fails, about; None when it does not."""
    decoder = codecs.getincrementaldecoder(name)("strict")
    position = 0
    file.seek(0)
    is_between = name == "utf-8"
    while chunk := file.read(_CHUNK_BYTES):
        # Plain ASCII is by far the quickest to check.
        if not (is_between and chunk.isascii()):
            try:
                decoder.decode(chunk)
            except UnicodeDecodeError as error:
                return position + max(0, error.start)
            is_between = name == "utf-8" and decoder.getstate()[0] == b""
        position += len(chunk)
    try:
        decoder.decode(b"", True)
    except UnicodeDecodeError:
        return position
    return None


def _utf16_without_bom(head: bytes) -> str | None:
    if len(head) < 4 or b"\0" not in head:
        return None
    even, odd = head[0::2].count(0), head[1::2].count(0)
    half = len(head) // 2
    # Separators, digits and line ends have a zero byte in every script.
    if odd > half * 0.15 and even < half * 0.02:
        return "utf-16-le"
    if even > half * 0.15 and odd < half * 0.02:
        return "utf-16-be"
    return None


def _is_binary(head: bytes) -> bool:
    if b"\0" in head:
        return head.count(0) > len(head) // 1000 + 2 or head[:4096].count(0) > 0
    return len(head) - len(head.translate(None, _CONTROLS)) > len(head) // 50 + 2
