"""Runs first, with SOURCES, TASK, REQUEST and MIME as globals: makes the other files importable while they are needed."""

import gc
import importlib.abc
import importlib.util
import sys

_PACKAGE = "_atoll_tables"


class _Sources(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name, path=None, target=None):
        part = "__init__" if name == _PACKAGE else name.removeprefix(_PACKAGE + ".")
        if not name.startswith(_PACKAGE) or part not in SOURCES:  # noqa: F821
            return None
        return importlib.util.spec_from_loader(name, self, is_package=name == _PACKAGE)

    def exec_module(self, module):
        part = module.__name__.removeprefix(_PACKAGE).lstrip(".") or "__init__"
        exec(compile(SOURCES[part], f"<{module.__name__}>", "exec"), module.__dict__)  # noqa: F821, S102


def _main():
    sources = _Sources()
    sys.meta_path.insert(0, sources)
    # Reading makes many objects and few cycles.
    was_collecting = gc.isenabled()
    gc.disable()
    try:
        from _atoll_tables import loading

        names = sys.modules["__main__"].__dict__
        publish = loading.publish_with(names.get("display"), MIME)  # noqa: F821
        if TASK == "preview":  # noqa: F821
            from _atoll_tables import preview

            preview.show(REQUEST, names.get("display"), publish)  # noqa: F821
        else:
            loading.load(REQUEST, names, publish)  # noqa: F821
        loading.forget_cell()
    finally:
        if was_collecting:
            gc.enable()
        sys.meta_path.remove(sources)
        for name in [name for name in sys.modules if name.split(".")[0] == _PACKAGE]:
            del sys.modules[name]


_main()
