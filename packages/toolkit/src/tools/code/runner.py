"""
Runs a script whose module `tools` asks the host, one line of JSON for each call and each answer.

The first line from the host has the script and the tools. The script's own output goes to stderr, both of its streams,
because stdout carries the calls.
"""

import inspect
import itertools
import json
import keyword
import linecache
import os
import re
import site
import sys
import threading
import traceback
import types


class ToolError(Exception):
    """A tool failed, or the call was refused. `code` says what kind of failure, where the platform failed."""

    def __init__(self, tool, message, code=None):
        super().__init__(message)
        self.tool = tool
        self.code = code


class Result(str):
    """What a tool says, as text; `data` is the same as Python values, where the tool gives them."""

    data = None
    images = ()


class Host:
    def __init__(self, answers, requests):
        self._answers = answers
        self._requests = requests
        self._lock = threading.Lock()
        self._numbers = itertools.count(1)
        self._waiting = {}
        self._process = os.getpid()
        self._is_gone = False

    def listen(self):
        for line in self._answers:
            answer = json.loads(line)
            with self._lock:
                slot = self._waiting.pop(answer["id"], None)
            if slot is not None:
                slot["answer"] = answer
                slot["ready"].set()
        with self._lock:
            self._is_gone = True
            left, self._waiting = list(self._waiting.values()), {}
        for slot in left:
            slot["ready"].set()

    def call(self, tool, arguments):
        if os.getpid() != self._process:
            raise ToolError(tool, "tools can be called from threads, not from other processes")
        number = next(self._numbers)
        line = json.dumps({"id": number, "tool": tool, "input": arguments}).encode() + b"\n"
        slot = {"ready": threading.Event(), "answer": None}
        with self._lock:
            if self._is_gone:
                raise ToolError(tool, "the host has gone")
            self._waiting[number] = slot
            self._requests.write(line)
            self._requests.flush()
        slot["ready"].wait()
        answer = slot["answer"]
        if answer is None:
            raise ToolError(tool, "the host has gone")
        if answer["isError"]:
            raise ToolError(tool, answer["text"], answer.get("errorCode"))
        result = Result(answer["text"])
        result.data = answer.get("data")
        result.images = answer.get("images", ())
        return result


def make_function(host, name, description, parameters, nullable):
    def function(*values, **named):
        if len(values) > len(parameters):
            raise TypeError(f"{name}() takes {len(parameters)} arguments, not {len(values)}")
        arguments = {argument_name(key, parameters): value for key, value in named.items()}
        for parameter, value in zip(parameters, values):
            if parameter in arguments:
                raise TypeError(f"{name}() got two values for {parameter!r}")
            arguments[parameter] = value
        # None says "not given", but where a tool makes something of it.
        given = {key: value for key, value in arguments.items() if value is not None or key in nullable}
        return host.call(name, given)

    function.__name__ = function.__qualname__ = python_name(name)
    function.__module__ = "tools"
    function.__doc__ = description
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    names = [python_name(parameter) for parameter in parameters]
    function.__signature__ = inspect.Signature([inspect.Parameter(name, kind, default=None) for name in names])
    return function


def python_name(name):
    """A name that Python takes: `from_` for `from`, `x_y` for `x-y`."""
    plain = re.sub(r"\W|^(?=\d)", "_", name)
    return plain + "_" if keyword.iskeyword(plain) else plain


def argument_name(given, parameters):
    return next((name for name in parameters if given in (name, python_name(name))), given)


def make_module(host, tools):
    module = types.ModuleType("tools", "The tools of this session. Each returns its text and raises ToolError.")
    module.ToolError = ToolError
    for tool in tools:
        function = make_function(host, **tool)
        setattr(module, function.__name__, function)
    module.__all__ = ["ToolError", *(python_name(tool["name"]) for tool in tools)]
    return module


def take_streams():
    """Our two ends, out of reach of what the script prints and reads."""
    answers, requests = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    return answers, requests


def run(code):
    name = "<code>"
    linecache.cache[name] = (len(code), None, code.splitlines(keepends=True), name)
    main = types.ModuleType("__main__")
    sys.modules["__main__"] = main
    try:
        exec(compile(code, name, "exec"), main.__dict__)
    except SystemExit:
        raise
    except BaseException as error:
        trace = error.__traceback__ and error.__traceback__.tb_next
        traceback.print_exception(type(error), error, trace)
        sys.exit(1)


def start():
    answers, requests = take_streams()
    opening = json.loads(answers.readline())
    host = Host(answers, requests)
    sys.argv = ["<code>"]
    site.addsitedir(site.getusersitepackages())
    sys.modules["tools"] = make_module(host, opening["tools"])
    threading.Thread(target=host.listen, daemon=True).start()
    run(opening["code"])


start()
