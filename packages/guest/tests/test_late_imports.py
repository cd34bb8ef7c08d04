import importlib
import importlib.util
import pathlib
import sys
import tempfile
import unittest

from atoll_guest.kernel.late_imports import when_imported


class LateImports(unittest.TestCase):
    def setUp(self) -> None:
        folder = self.enterContext(tempfile.TemporaryDirectory())
        self.module = pathlib.Path(folder, "comes_late.py")
        self.module.write_text("value = 1\n")
        sys.path.insert(0, folder)
        self.addCleanup(sys.path.remove, folder)
        self.addCleanup(sys.modules.pop, "comes_late", None)
        finders = list(sys.meta_path)
        self.addCleanup(lambda: sys.meta_path.__setitem__(slice(None), finders))
        importlib.invalidate_caches()
        self.seen: list[int] = []

    def note(self) -> None:
        self.seen.append(sys.modules["comes_late"].value)

    def test_what_is_there_is_acted_on_at_once(self) -> None:
        importlib.import_module("comes_late")
        when_imported("comes_late", self.note)
        self.assertEqual(self.seen, [1])

    def test_what_comes_later_is_acted_on_once_it_is_complete_and_only_once(self) -> None:
        when_imported("comes_late", lambda: self.fail("the later act takes its place"))
        when_imported("comes_late", self.note)
        self.assertEqual(self.seen, [])
        module = importlib.import_module("comes_late")
        importlib.reload(module)
        self.assertEqual(self.seen, [1])
        self.assertIsNotNone(module.__loader__.get_source("comes_late"))

    def test_to_look_for_it_is_not_to_import_it(self) -> None:
        when_imported("comes_late", self.note)
        spec = importlib.util.find_spec("comes_late")
        self.assertIsNotNone(spec)
        self.assertEqual(self.seen, [])
        importlib.import_module("comes_late")
        self.assertEqual(self.seen, [1])

    def test_an_import_that_failed_is_acted_on_when_it_succeeds(self) -> None:
        when_imported("comes_late", self.note)
        self.module.write_text("raise KeyboardInterrupt\n")
        with self.assertRaises(KeyboardInterrupt):
            importlib.import_module("comes_late")
        self.module.write_text("value = 22\n")
        importlib.invalidate_caches()
        importlib.import_module("comes_late")
        self.assertEqual(self.seen, [22])

    def test_a_module_that_does_not_exist_is_not_found_as_ever(self) -> None:
        when_imported("never_there_at_all", self.note)
        with self.assertRaises(ModuleNotFoundError):
            importlib.import_module("never_there_at_all")
