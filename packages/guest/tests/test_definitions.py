import time
import unittest
import warnings

from atoll_guest.snapshot.definitions import Definitions


class Recording(unittest.TestCase):
    def setUp(self) -> None:
        self.definitions = Definitions()

    def source(self, name: str) -> str | None:
        definition = self.definitions.get(name)
        return definition and definition.source

    def test_each_import_is_kept_under_the_name_it_binds(self) -> None:
        self.definitions.record(
            "import numpy as np, os; from a.b import c as d, e\nfrom x import *\nfrom . import y"
        )
        self.assertEqual(self.source("np"), "import numpy as np")
        self.assertEqual(self.source("os"), "import os")
        self.assertEqual(self.source("d"), "from a.b import c as d")
        self.assertEqual(self.source("e"), "from a.b import e")
        self.assertEqual(self.source("*x"), "from x import *")
        self.assertEqual(self.source("y"), "from . import y")

    def test_submodules_of_one_package_are_all_kept(self) -> None:
        self.definitions.record("import a.b\nimport a.c\nimport a.b")
        self.assertEqual(self.source("a"), "import a.b\nimport a.c")
        self.definitions.record("import z as a")
        self.assertEqual(self.source("a"), "import z as a")

    def test_functions_and_classes_keep_their_text_with_decorators(self) -> None:
        function = "@one\n@two(\n  3)\ndef f(x):\n    # why\n    return 'ä\x0c'"
        async_function = "async def g(): pass"
        cls = "@final\nclass C(Base):\n    '''doc'''\n    x = 1"
        self.definitions.record(f"a = 1; b = 2\n{function}\n{async_function}\nprint(3)\n{cls}\n\n")
        self.assertEqual(self.source("f"), function)
        self.assertEqual(self.source("g"), async_function)
        self.assertEqual(self.source("C"), cls)

    def test_the_last_definition_counts_and_stands_last(self) -> None:
        self.definitions.record("def f(): return 1\ndef g(): pass")
        self.definitions.record("def f(): return 2")
        self.assertEqual([definition.name for definition in self.definitions], ["g", "f"])
        self.assertEqual(self.source("f"), "def f(): return 2")

    def test_only_top_level_definitions_count(self) -> None:
        self.definitions.record("if True:\n    def f(): pass\ndef g():\n    import os\n    def inner(): pass")
        self.assertEqual([definition.name for definition in self.definitions], ["g"])

    def test_top_level_await_is_no_obstacle(self) -> None:
        self.definitions.record("import asyncio\nawait asyncio.sleep(0)")
        self.assertEqual(self.source("asyncio"), "import asyncio")

    def test_windows_line_ends(self) -> None:
        self.definitions.record("x = 1\r\ndef f():\r\n    return 2\r\n")
        self.assertEqual(self.source("f"), "def f():\n    return 2")

    def test_nothing_makes_it_raise(self) -> None:
        for source in (
            "def",
            "import \0",
            "def f(:\n",
            "(" * 5000 + "import x",
            "class \ud800: pass",
            "%%magic import",
        ):
            self.definitions.record(source)
        self.assertEqual(len(self.definitions), 0)

    def test_it_shows_no_warnings_of_the_cell_again(self) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            self.definitions.record("import re\nre.compile('\\d')\n1 is 1")
        self.assertEqual(self.source("re"), "import re")

    def test_a_huge_cell_is_passed_over_at_once(self) -> None:
        huge = "import os\nx = '" + "a" * (50 * 1024 * 1024) + "'"
        started = time.process_time()
        self.definitions.record(huge)
        self.assertLess(time.process_time() - started, 0.5)
        self.assertEqual(len(self.definitions), 0)

    def test_a_cell_without_definitions_costs_next_to_nothing(self) -> None:
        started = time.process_time()
        for _ in range(10_000):
            self.definitions.record("x = y + 1")
        self.assertLess(time.process_time() - started, 0.5)


if __name__ == "__main__":
    unittest.main()
