"""Some of a kernel's variables, brought to a kernel that has its own, maybe one of another Python."""

import json

from .kernel_shell import KernelTest, reasons

_FOREIGN = [2, 7]


class Parts(KernelTest):
    def move(self, cell: str, *, is_foreign: bool = False, forget: tuple[str, ...] = (), **choice: object) -> dict:
        """From this kernel, emptied and given other variables by `cell`, back to it."""
        self.kernel.save(self.path, **choice)
        if is_foreign:
            _pretend_foreign(self.path)
        self.kernel.clear()
        self.run_cell(cell)
        return self.kernel.load(self.path, is_added=True, forget=forget)

    def test_only_some_are_saved(self) -> None:
        self.run_cell("a = [1]; b = a; c = 3; import math")
        report = self.move("c = 'mine'", only=["a", "b", "math"])
        self.assertEqual(report, {"restored": ["a", "b", "math"], "lost": []})
        self.assert_holds("a is b and a == [1] and c == 'mine' and math.pi > 3")

    def test_some_are_left_out(self) -> None:
        self.run_cell("a = [1]; holder = {'a': a}; b = 2\ndef f(): return b")
        report = self.move("a = 'mine'", leave_out=["a"])
        self.assertEqual(report["restored"], ["holder", "b", "f"])
        self.assert_holds("a == 'mine' and holder == {'a': [1]} and f() == 2")

    def test_what_the_kernel_had_defined_can_still_be_saved(self) -> None:
        self.run_cell("def brought(): return 1")
        self.move("def own(): return 2\nn = 5")
        self.carry_over()
        self.assert_holds("(brought(), own(), n) == (1, 2, 5)")

    def test_values_may_need_what_the_kernel_has(self) -> None:
        self.run_cell("class Point:\n    x = 1\np = Point()")
        self.kernel.save(self.path)
        self.kernel.load(self.path, is_added=True)
        self.assert_holds("type(p) is Point")

    def test_what_is_gone_there_is_taken_away(self) -> None:
        self.run_cell("a = 1")
        self.move("b = 2; keep = 3; a = 0", forget=("a", "b", "never"))
        self.assert_holds("a == 1 and 'b' not in globals() and keep == 3")

    def test_another_python_takes_source_and_plain_values_but_no_compiled_code(self) -> None:
        self.run_cell("import json\ndef f(x): return x + n\nn = {'k': [1, (2, 3)]}\ng = lambda: 1\nkeeper = [g]")
        report = self.move("", is_foreign=True)
        self.assertEqual(report["restored"], ["json", "f", "n"])
        self.assertEqual(set(reasons(report)), {"g", "keeper"})
        self.assertIn("another version of Python", reasons(report)["g"])
        self.assert_holds("json.dumps(n) == '{\"k\": [1, [2, 3]]}'")


def _pretend_foreign(path: str) -> None:
    """Writes another version into the index of a snapshot."""
    from atoll_guest.snapshot import snapshot_file

    with open(path, "r+b") as file:
        data = file.read()
        offset, length, _, _ = snapshot_file._TRAILER.unpack(data[-snapshot_file._TRAILER.size :])
        index = json.loads(data[offset : offset + length])
        assert index["python"] != _FOREIGN
        packed = json.dumps({**index, "python": _FOREIGN}).encode()
        file.seek(offset)
        file.truncate()
        trailer = snapshot_file._TRAILER.pack(
            offset, len(packed), snapshot_file.zlib.crc32(packed), snapshot_file._END
        )
        file.write(packed + trailer)
