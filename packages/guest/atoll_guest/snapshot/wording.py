"""Short plain words for types, errors and sizes, made without trusting the objects they are about."""

from __future__ import annotations

_MAX_CHARS = 300


def describe_type(value: object) -> str:
    """`int`, `Foo` of the user's own, `pandas.core.frame.DataFrame`."""
    kind = type(value)
    name = type.__dict__["__qualname__"].__get__(kind)
    module = type.__dict__["__module__"].__get__(kind)
    if not isinstance(module, str) or module in ("builtins", "__main__"):
        return name
    return f"{module}.{name}"


def describe_error(error: BaseException) -> str:
    name = describe_type(error).rpartition(".")[2]
    try:
        text = str(error)
    except BaseException:
        text = ""
    return f"{name}: {text}"[:_MAX_CHARS] if text else name


def describe_size(count: float) -> str:
    for unit in ("bytes", "KB", "MB"):
        if count < 1024:
            return f"{count:.4g} {unit}"
        count /= 1024
    return f"{count:.4g} GB"
