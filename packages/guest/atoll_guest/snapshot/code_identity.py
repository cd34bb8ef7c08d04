"""Compares compiled code with source text, wherever in a file the two stand."""

from __future__ import annotations

import functools
import types
import warnings
from collections.abc import Iterator
from typing import Any

_PLAIN_CONSTANTS = (type(None), bool, int, float, complex, str, bytes, type(Ellipsis))


def is_code_in(source: str, code: types.CodeType) -> bool:
    """Whether the source, compiled now, has this code somewhere in it."""
    return _key(code) in _keys_in(source)


@functools.lru_cache(maxsize=256)
def _keys_in(source: str) -> frozenset[Any]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return frozenset(_keys_within(compile(source, "<definition>", "exec", dont_inherit=True)))


def _keys_within(code: types.CodeType) -> Iterator[Any]:
    yield _key(code)
    for constant in code.co_consts:
        if type(constant) is types.CodeType:
            yield from _keys_within(constant)


def _key(code: types.CodeType) -> Any:
    counts = (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount)
    names = (code.co_name, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
    return (code.co_code, counts, names, tuple(_constant_key(constant) for constant in code.co_consts))


def _constant_key(constant: Any) -> Any:
    """Tells 1 from 1.0 and True, which are equal."""
    kind = type(constant)
    if kind is types.CodeType:
        return _key(constant)
    if kind is tuple or kind is frozenset:
        return kind, kind(_constant_key(item) for item in constant)
    return kind, repr(constant) if kind in _PLAIN_CONSTANTS else id(constant)
