"""What comes back from a snapshot is what was there: values, definitions, and who is the same as whom."""

import os
import unittest

from .kernel_shell import KernelTest, reasons

try:
    import numpy
    import pandas
except ImportError:
    numpy = pandas = None

needs_pandas = unittest.skipIf(pandas is None, "pandas is not installed")


class Values(KernelTest):
    def test_plain_values_come_back(self) -> None:
        self.run_cell("n = 5; text = 'ä'; items = [1, {'a': (2, None)}]; raw = b'\\0' * 5000; none = None")
        self.carry_over()
        self.assert_holds(
            "(n, text, items, raw, none) == (5, 'ä', [1, {'a': (2, None)}], b'\\0' * 5000, None)"
        )

    def test_names_of_the_shell_are_not_saved(self) -> None:
        self.run_cell("1 + 1")
        self.run_cell("x: int = 3\nfor _ in range(3): pass")
        self.assertEqual(self.kernel.save(self.path)["saved"], ["x"])

    def test_a_name_of_the_shell_is_the_users_once_it_means_something_else(self) -> None:
        self.run_cell("open = 'my own'; In = 3")
        self.carry_over()
        self.assert_holds("open == 'my own' and In == 3")

    def test_modules_come_back_however_they_were_imported(self) -> None:
        self.run_cell("import os.path, xml.dom\nimport json as j\nif True:\n    import math as m\nd = [j]")
        self.run_cell("s = __import__('string')")
        self.carry_over()
        self.assert_holds("os.path.join('a', 'b') == 'a/b' and j.dumps(m.floor(1.5)) == '1'")
        self.assert_holds("xml.dom.__name__ == 'xml.dom' and s.digits and d[0] is j")

    def test_star_imports(self) -> None:
        self.run_cell("from math import *\nfloor = 'mine'")
        self.carry_over()
        self.assert_holds("ceil(1.5) == 2 and floor == 'mine'")

    def test_an_imported_name_that_was_rebound_is_a_value(self) -> None:
        self.run_cell("from math import pi, e\npi = 3\nimport json\njson = {'a': 1}")
        self.carry_over()
        self.assert_holds("pi == 3 and json == {'a': 1} and e > 2.7")

    @needs_pandas
    def test_frames_and_arrays_come_back_and_can_be_changed(self) -> None:
        self.run_cell("import numpy as np, pandas as pd")
        self.run_cell("a = np.arange(100_000, dtype='i4').reshape(100, -1); view = a[:, ::3]; ro = a.copy()")
        self.run_cell(
            "ro.flags.writeable = False; fortran = np.asfortranarray(a); objects = np.array([{}, 'x'])"
        )
        self.run_cell(
            "df = pd.DataFrame({'n': range(9000), 'f': 0.5, 's': 'x', 't': pd.Timestamp('2024-01-01')})"
        )
        self.run_cell(
            "df['c'] = df['s'].astype('category'); s = df.n.rename('q'); g = df.set_index(['n', 's'])"
        )
        self.run_cell("before = pd.util.hash_pandas_object(df).sum()")
        self.carry_over()
        self.assert_holds("before == pd.util.hash_pandas_object(df).sum() and (df.dtypes['c'] == 'category')")
        self.assert_holds("a.sum() == ro.sum() == fortran.sum() and (a[:, ::3] == view).all()")
        self.assert_holds("fortran.flags.f_contiguous and not ro.flags.writeable")
        self.run_cell("a[0, 0] = 7; df.loc[0, 'n'] = 7; view[0] = 1")
        self.assert_holds("a[0, 0] == df.n[0] == 7 and s.name == 'q' and list(g.index.names) == ['n', 's']")

    @needs_pandas
    def test_a_subclass_of_a_frame(self) -> None:
        self.run_cell(
            "import pandas as pd\n"
            "class Sales(pd.DataFrame):\n"
            "    _metadata = ['region']\n"
            "    @property\n"
            "    def _constructor(self): return Sales\n"
            "    def total(self): return self['x'].sum()\n"
            "s = Sales({'x': [1, 2]}); s.region = 'north'"
        )
        self.carry_over()
        self.assert_holds(
            "type(s) is Sales and s.total() == 3 and s.region == 'north' and type(s.head()) is Sales"
        )

    def test_a_model_of_scikit_learn(self) -> None:
        try:
            import sklearn  # noqa: F401
        except ImportError:
            self.skipTest("scikit-learn is not installed")
        self.run_cell("from sklearn.linear_model import LinearRegression")
        self.run_cell("model = LinearRegression().fit([[1], [2], [3]], [2, 4, 6])")
        self.carry_over()
        self.assert_holds("abs(model.predict([[10]])[0] - 20) < 1e-6")

    def test_figures_keep_their_axes(self) -> None:
        try:
            import matplotlib
        except ImportError:
            self.skipTest("matplotlib is not installed")
        matplotlib.use("agg")
        self.run_cell(
            "import matplotlib.pyplot as plt\nfig, ax = plt.subplots(); line, = ax.plot([1, 2]); plt.close()"
        )
        self.carry_over()
        self.assert_holds("ax.figure is fig and fig.axes[0] is ax and ax.lines[0] is line")

    def test_odd_types_keep_their_type(self) -> None:
        self.run_cell("import typing\nUserId = typing.NewType('UserId', int); T = typing.TypeVar('T')")
        self.run_cell("view = memoryview(b'abc'); rows = range(3); cut = slice(1); error = ValueError('x')")
        self.carry_over()
        self.assert_holds("UserId(3) == 3 and UserId.__module__ == '__main__' and T.__name__ == 'T'")
        self.assert_holds(
            "type(view) is memoryview and rows == range(3) and cut.stop == 1 and error.args == ('x',)"
        )

    def test_names_that_are_no_identifiers(self) -> None:
        self.run_cell(
            "globals()['my.var'] = [1]; globals()['\\ud800'] = 2; globals()[5] = 3\n"
            "held = [globals()['my.var']]"
        )
        self.assertEqual(self.save_and_load()[1]["restored"], ["my.var", "\ud800", "held"])

    def test_an_empty_kernel(self) -> None:
        self.carry_over()


class Identity(KernelTest):
    def test_two_names_for_one_object(self) -> None:
        self.run_cell("a = [1]; b = a; c = {'a': a}; text = 'x' * 10_000; same = text")
        self.carry_over()
        self.assert_holds("a is b and c['a'] is a and text is same")

    def test_a_container_that_is_older_than_what_it_holds(self) -> None:
        self.run_cell("outer = []; inner = {}; outer.append(inner); other = [inner]")
        self.carry_over()
        self.assert_holds("outer[0] is inner and other[0] is inner")

    def test_cycles_through_several_variables(self) -> None:
        self.run_cell(
            "class Node: pass\n"
            "root = Node(); leaf = Node(); root.leaf = leaf; leaf.root = root; root.me = root"
        )
        self.carry_over()
        self.assert_holds("root.leaf is leaf and leaf.root is root and root.me is root")

    def test_functions_share_the_namespace_and_not_a_copy(self) -> None:
        self.run_cell(
            "n = 1\ndef f(): return n\ng = lambda: n\ndef outer(k):\n    return lambda: n + k\nh = outer(10)"
        )
        self.carry_over()
        self.run_cell("n = 2")
        self.assert_holds("(f(), g(), h()) == (2, 2, 12) and f.__globals__ is g.__globals__ is globals()")
        self.assert_holds("__builtins__.__name__ == 'builtins'")

    def test_closures_share_their_variables(self) -> None:
        self.run_cell(
            "def counter():\n"
            "    n = 0\n"
            "    def up():\n"
            "        nonlocal n; n += 1; return n\n"
            "    def get(): return n\n"
            "    def fact(k): return 1 if k < 2 else k * fact(k - 1)\n"
            "    return up, get, fact\n"
            "up, get, fact = counter(); up(); both = counter()"
        )
        self.carry_over()
        self.assert_holds("(get(), up(), get(), fact(5)) == (1, 2, 2, 120)")
        self.assert_holds("both[0]() == both[1]() == 1")

    def test_the_kernel_itself_is_referred_to(self) -> None:
        self.run_cell(
            "import sys; out = sys.stdout; ip = get_ipython(); g = globals(); m = sys.modules['__main__']"
        )
        self.carry_over()
        self.assert_holds(
            "out is sys.stdout and ip is get_ipython() and g is globals() and m is sys.modules['__main__']"
        )


class Definitions(KernelTest):
    def test_instances_belong_to_the_replayed_class(self) -> None:
        self.run_cell(
            "from dataclasses import dataclass\nfrom enum import Enum\nfrom typing import NamedTuple\n"
            "from collections import namedtuple\n"
            "@dataclass\nclass P:\n    x: int = 0\n    class Inner: pass\n    def __hidden(self): pass\n"
            "class Color(Enum):\n    RED = 1\n"
            "class T(NamedTuple):\n    a: int\n"
            "N = namedtuple('N', 'a')\n"
            "p = P(3); i = P.Inner(); c = Color.RED; t = T(1); n = N(2); deep = {'k': [P(4)]}\n"
            "method = p.__eq__"
        )
        self.carry_over()
        self.assert_holds("isinstance(p, P) and p == P(3) and isinstance(deep['k'][0], P) and method(P(3))")
        self.assert_holds(
            "isinstance(i, P.Inner) and c is Color.RED and isinstance(t, T) and isinstance(n, N)"
        )

    def test_an_instance_of_an_older_version_of_a_class_keeps_it(self) -> None:
        self.run_cell("class A:\n    def v(self): return 1\nold = A()")
        self.run_cell("class A:\n    def v(self): return 2\nnew = A()")
        self.carry_over()
        self.assert_holds("old.v() == 1 and new.v() == 2 and isinstance(new, A) and not isinstance(old, A)")

    def test_state_of_classes_and_functions_comes_back(self) -> None:
        self.run_cell(
            "class C:\n    count = 0\n    def go(self): return 1\nC.count = 7; C.extra = lambda self: 'added'"
        )
        self.run_cell(
            "n = 5\ndef f(x=n, *, seen=[]):\n    seen.append(x); return seen\nn = 9; f(); f.calls = 3"
        )
        self.carry_over()
        self.assert_holds("C.count == 7 and C().extra() == 'added' and C().go() == 1")
        self.assert_holds("f.calls == 3 and f() == [5, 5]")

    def test_a_patched_method_stays_patched(self) -> None:
        self.run_cell("class C:\n    def go(self): return 1\nC.go = lambda self: 2\nc = C()")
        self.carry_over()
        self.assert_holds("c.go() == 2 and isinstance(c, C)")

    def test_a_rebound_name_is_what_it_is_now(self) -> None:
        self.run_cell("def f(): return 1\ndef g(): return 1\nclass H: pass")
        self.run_cell("f = 5\nexec('def g(): return 2')\nH = type('H', (), {'x': 3})")
        self.carry_over()
        self.assert_holds("f == 5 and g() == 2 and H.x == 3")

    def test_a_definition_that_was_never_reached(self) -> None:
        self.run_cell("def f(): return 1")
        with self.assertRaises(ZeroDivisionError):
            self.run_cell("1 / 0\ndef f(): return 2")
        self.carry_over()
        self.assert_holds("f() == 1")

    def test_decorated_functions(self) -> None:
        self.run_cell(
            "import functools, contextlib\nregistry = []\n"
            "def register(fn):\n    registry.append(fn); return fn\n"
            "def double(fn):\n"
            "    @functools.wraps(fn)\n"
            "    def inner(*args): return 2 * fn(*args)\n"
            "    return inner\n"
            "@register\ndef plain(): return 1\n"
            "@double\ndef doubled(x): return x + 1\n"
            "@functools.lru_cache\ndef fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)\n"
            "@contextlib.contextmanager\ndef managed():\n    yield 'in'\n"
        )
        self.carry_over()
        self.assert_holds("plain() == 1 and registry == [plain] and doubled(1) == 4 and fib(30) == 832040")
        self.run_cell("with managed() as value: pass")
        self.assertEqual(self.kernel.get("value"), "in")

    def test_partials_methods_and_functions_in_containers(self) -> None:
        self.run_cell("import functools\ndef f(a, b): return a - b\nclass C:\n    def m(self): return 'm'")
        self.run_cell("p = functools.partial(f, 10); table = {'f': f, 'l': lambda: f(3, 1)}; bound = C().m")
        self.carry_over()
        self.assert_holds("p(1) == 9 and table['f'] is f and table['l']() == 2 and bound() == 'm'")
        self.assert_holds("p.func is f and isinstance(bound.__self__, C)")

    def test_definitions_that_need_values_and_values_that_need_definitions(self) -> None:
        self.run_cell("base = type('Base', (), {'b': 1}); limit = 4")
        self.run_cell("class Derived(base):\n    top = limit\nd = Derived()\ndef f(x=d): return x")
        self.carry_over()
        self.assert_holds("d.b == 1 and isinstance(d, Derived) and Derived.top == 4 and f() is d")

    def test_a_definition_that_fails_is_lost_alone(self) -> None:
        self.run_cell(
            "import threading\nlock = threading.Lock()\nclass Guard:\n    own = lock\nguard = Guard()\nn = 1"
        )
        saved, loaded = self.save_and_load()
        self.assertEqual(sorted(reasons(saved)), ["Guard.own", "lock"])
        self.assertEqual(sorted(reasons(loaded)), ["Guard", "Guard.own", "guard", "lock"])
        self.assertEqual(
            reasons(loaded)["Guard"], "cannot be restored: NameError: name 'lock' is not defined"
        )
        self.assertEqual(reasons(loaded)["guard"], "needs 'Guard', which was not restored")
        self.assertEqual(self.kernel.get("n"), 1)

    def test_a_module_that_is_gone_is_lost_alone(self) -> None:
        folder = os.path.dirname(self.path)
        with open(os.path.join(folder, "passing_by.py"), "w") as file:
            file.write("x = 1")
        self.run_cell(f"import sys; sys.path.insert(0, {folder!r}); import passing_by; n = 1")
        self.run_cell("sys.path.pop(0); del sys.modules['passing_by'].__spec__")
        self.kernel.save(self.path)
        self.run_cell("del sys.modules['passing_by']")
        loaded = self.kernel.load(self.path)
        self.assertIn("ModuleNotFoundError", reasons(loaded)["passing_by"])
        self.assertIn("n", loaded["restored"])

    def test_source_and_traceback_lines_are_there_after_a_restore(self) -> None:
        self.run_cell("import inspect\ndef f():\n    return 'here'")
        self.carry_over()
        self.assert_holds("\"return 'here'\" in inspect.getsource(f)")

    def test_future_features_stay_on(self) -> None:
        self.run_cell("from __future__ import annotations\ndef f(x: Missing): pass")
        self.carry_over()
        self.run_cell("def g(x: AlsoMissing): pass")
        self.assert_holds("g.__annotations__ == {'x': 'AlsoMissing'}")

    def test_an_async_function(self) -> None:
        self.run_cell("async def f(): return 5")
        self.carry_over()
        self.assertEqual(self.run_cell("await f()"), 5)


class Cycles(KernelTest):
    def test_a_hundred_cycles_neither_lose_nor_grow(self) -> None:
        self.run_cell(
            "import os.path, json as j, functools\nfrom math import *\n"
            "class A:\n    n = 0\n    def __init__(self): self.x = [1]\n"
            "def f(x=A()): return x\n@functools.cache\ndef g(): return 1\n"
            "a = A(); b = [a, a.x]; x = a.x; h = lambda: a; A.n = 3\nP = type('P', (), {}); p = P()"
        )
        sizes, reports = [], []
        for _ in range(100):
            reports.append(self.kernel.save(self.path))
            sizes.append(reports[-1]["sizeBytes"])
            self.kernel.clear()
            self.assertEqual(self.kernel.load(self.path), {"restored": reports[0]["saved"], "lost": []})
        self.assertEqual([report["lost"] for report in reports], [[]] * 100)
        self.assertLess(max(sizes[1:]) - min(sizes[1:]), 64)
        self.assert_holds(
            "b[0] is a and b[1] is a.x is x and h() is a and isinstance(f(), A) and A.n == 3 and g() == 1"
        )
        self.assert_holds("isinstance(p, P) and ceil(0.5) == 1 and j.dumps(1) == '1'")


if __name__ == "__main__":
    unittest.main()
