"""Whether an object is what a recorded definition made, so that running the definition again gives it back.

Nothing here runs code of the object's own.
"""

from __future__ import annotations

import ast
import functools
import inspect
import sys
import types
import warnings
from abc import ABCMeta
from collections.abc import Iterator, Mapping
from typing import Any

from .code_identity import is_code_in
from .definitions import Definition


def replay_source(definition: Definition, value: object, namespace: Mapping[str, Any]) -> str | None:
    """The source to run, or None when the object is something else by now and has to be saved as a value.

    A decorator that returned the function itself is left out: what it did lives in the objects it did it to.
    A function wrapped in another function is a value; any other wrapper, as `functools.cache` makes, is made
    anew with its decorators. A class whose methods have been replaced is a value.
    """
    try:
        if definition.kind == "star":
            return definition.source
        if definition.kind == "import":
            return definition.source if _is_imported(definition, value) else None
        if definition.kind == "class":
            return definition.source if _is_class(definition, value) else None
        if type(value) is types.FunctionType:
            is_same = value.__globals__ is namespace and _is_code_of(definition, value.__code__)
            return _without_decorators(definition) if is_same else None
        return definition.source if _is_code_of(definition, _unwrapped_code(value)) else None
    except Exception:
        return None


def star_names(definition: Definition, namespace: Mapping[str, Any]) -> list[str]:
    """The names that `from module import *` still gives."""
    module = sys.modules.get(definition.name[1:])
    if module is None:
        return []
    given = vars(module)
    public: Any = given.get("__all__")
    if type(public) not in (list, tuple):
        public = [name for name in given if not name.startswith("_")]
    wanted = {name for name in public if type(name) is str and name in given}
    return [name for name, value in namespace.items() if name in wanted and given[name] is value]


def state_of(
    definition: Definition, value: object, namespace: Mapping[str, Any]
) -> Iterator[tuple[str, object]]:
    """What an object has beyond its source: attributes of a class, defaults and attributes of a function."""
    if type(value) is types.FunctionType:
        arguments = _node(definition.source).args
        expressions = [*arguments.defaults, *filter(None, arguments.kw_defaults)]
        if not all(_is_constant(expression) for expression in expressions):
            defaults = {"__defaults__": value.__defaults__, "__kwdefaults__": value.__kwdefaults__}
            yield from ((name, default) for name, default in defaults.items() if default is not None)
        yield from ((name, attribute) for name, attribute in vars(value).items() if name != "__wrapped__")
    elif type(value) in (type, ABCMeta):
        for name, attribute in dict(class_dict(value)).items():
            if type(attribute) is types.FunctionType:
                if _is_added_function(definition, name, attribute, namespace):
                    yield name, attribute
            elif not (_is_technical(name) or _is_part_of_class(value, name, attribute)):
                yield name, attribute


def class_dict(value: object) -> Mapping[str, Any]:
    return type.__dict__["__dict__"].__get__(value)


def qualified_name(value: object) -> str:
    return type.__dict__["__qualname__"].__get__(value)


def is_defined_by_user(value: object) -> bool:
    """Of a class or a function."""
    is_function = type(value) is types.FunctionType
    module = value.__module__ if is_function else type.__dict__["__module__"].__get__(value)
    return type(module) is str and module == "__main__"


def _is_imported(definition: Definition, value: object) -> bool:
    node = _node(definition.source)
    alias = node.names[0]
    if isinstance(node, ast.Import):
        return value is sys.modules.get(alias.name if alias.asname else definition.name)
    module = sys.modules.get(node.module or "") if node.level == 0 else None
    if module is None:
        return False
    return vars(module).get(alias.name) is value or sys.modules.get(f"{node.module}.{alias.name}") is value


def _is_class(definition: Definition, value: object) -> bool:
    if not issubclass(type(value), type) or not is_defined_by_user(value):
        return False
    if qualified_name(value) != definition.name:
        return False
    if type(value) not in (type, ABCMeta):
        # A metaclass may have put anything in the place of a method.
        return True
    attributes = class_dict(value)
    undecorated = [name for name, is_decorated in _methods(definition.source).items() if not is_decorated]
    return all(
        type(method := attributes.get(name)) is types.FunctionType
        and is_code_in(definition.source, method.__code__)
        for name in undecorated
    )


def _is_code_of(definition: Definition, code: types.CodeType | None) -> bool:
    return code is not None and code.co_name == definition.name and is_code_in(definition.source, code)


def _unwrapped_code(value: object) -> types.CodeType | None:
    for _ in range(20):
        value = inspect.getattr_static(value, "__wrapped__", None)
        if type(value) is types.FunctionType:
            return value.__code__
    return None


def _without_decorators(definition: Definition) -> str:
    return "\n".join(definition.source.split("\n")[_node(definition.source).lineno - 1 :])


def _is_added_function(
    definition: Definition, name: str, function: types.FunctionType, namespace: Mapping[str, Any]
) -> bool:
    """Set on the class after it was made, by code of the user's; not by a library such as dataclasses."""
    code = function.__code__
    is_users = function.__globals__ is namespace and code.co_filename != "<string>"
    return is_users and name not in _methods(definition.source) and not is_code_in(definition.source, code)


def _is_part_of_class(owner: object, name: str, attribute: object) -> bool:
    """Made by the class statement: a descriptor (property, slot, class method) or a nested class."""
    kind = type(attribute)
    if issubclass(kind, type):
        path = f"{qualified_name(owner)}.{name}"
        return is_defined_by_user(attribute) and qualified_name(attribute) == path
    return any("__get__" in class_dict(base) for base in type.__dict__["__mro__"].__get__(kind))


def _is_technical(name: str) -> bool:
    return (name.startswith("__") and name.endswith("__")) or name.startswith("_abc_")


def _is_constant(node: ast.expr) -> bool:
    return isinstance(node.operand if isinstance(node, ast.UnaryOp) else node, ast.Constant)


@functools.lru_cache(maxsize=256)
def _node(source: str) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(source).body[0]


@functools.lru_cache(maxsize=256)
def _methods(source: str) -> dict[str, bool]:
    """Of the functions that a class's body defines directly: the name, and whether it is decorated."""
    owner = _node(source)
    functions = (node for node in owner.body if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)))
    return {_mangled(owner.name, node.name): bool(node.decorator_list) for node in functions}


def _mangled(owner: str, name: str) -> str:
    is_private = name.startswith("__") and not name.endswith("__") and owner.strip("_")
    return f"_{owner.lstrip('_')}{name}" if is_private else name
