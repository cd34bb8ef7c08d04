"""A snapshot file that is not whole is recognised before anything of it is used."""

import os
import unittest

from atoll_guest import snapshot
from atoll_guest.snapshot import SnapshotInvalid

from .kernel_shell import KernelTest


class DamagedFiles(KernelTest):
    def setUp(self) -> None:
        super().setUp()
        self.run_cell(
            "import json\ndef f(): return 1\n"
            "n = 5; text = 'x' * 3000; raw = bytearray(40_000); items = [1, 2]"
        )
        self.kernel.save(self.path)
        with open(self.path, "rb") as file:
            self.whole = file.read()
        self.kernel.clear()
        self.before = dict(self.kernel.shell.user_ns)

    def assert_refused(self, content: bytes, what: str) -> None:
        with open(self.path, "wb") as file:
            file.write(content)
        with self.assertRaises(SnapshotInvalid, msg=what):
            snapshot.check(self.path)
        with self.assertRaises(SnapshotInvalid, msg=what):
            self.kernel.load(self.path)
        self.assertEqual(self.kernel.shell.user_ns, self.before)
        self.assertEqual(len(self.kernel.definitions), 0)

    def test_the_whole_file_is_accepted(self) -> None:
        snapshot.check(self.path)
        self.assertEqual(self.kernel.load(self.path)["lost"], [])

    def test_a_file_that_is_cut_anywhere(self) -> None:
        size = len(self.whole)
        for length in {0, 1, 11, 12, 40, size - 1, *(size * part // 20 for part in range(20))}:
            self.assert_refused(self.whole[:length], f"cut at {length}")

    def test_a_file_with_one_bit_changed_anywhere(self) -> None:
        size = len(self.whole)
        near_ends = [*range(16), *range(size - 60, size)]
        for position in {*near_ends, *range(0, size, size // 100)}:
            changed = bytearray(self.whole)
            changed[position] ^= 1 << (position % 8)
            self.assert_refused(bytes(changed), f"bit changed at {position}")

    def test_a_file_with_more_in_it(self) -> None:
        self.assert_refused(self.whole + b"\0", "a byte more")
        self.assert_refused(b"\0" + self.whole, "a byte before")
        self.assert_refused(self.whole + self.whole, "twice")
        self.assert_refused(os.urandom(5000), "noise")

    def test_zeroes_in_the_middle(self) -> None:
        self.assert_refused(self.whole[:100] + bytes(1000) + self.whole[1100:], "zeroes")

    def test_what_is_no_file(self) -> None:
        folder = os.path.dirname(self.path)
        fifo = os.path.join(folder, "fifo")
        os.mkfifo(fifo)
        for path in (folder, fifo, "/dev/zero"):
            with self.assertRaises(SnapshotInvalid):
                self.kernel.load(path)
        with self.assertRaises(FileNotFoundError):
            self.kernel.load(os.path.join(folder, "missing"))


class Replacing(KernelTest):
    def test_the_old_file_is_replaced_in_one_step(self) -> None:
        self.run_cell("n = 1")
        self.kernel.save(self.path)
        with open(self.path, "rb") as opened_before:
            self.run_cell("n = 2; m = [3]")
            saved = self.kernel.save(self.path)
            self.assertNotEqual(os.fstat(opened_before.fileno()).st_ino, os.stat(self.path).st_ino)
        self.assertEqual(os.path.getsize(self.path), saved["sizeBytes"])
        self.assertEqual(os.listdir(os.path.dirname(self.path)), [os.path.basename(self.path)])

    def test_a_folder_that_is_not_there(self) -> None:
        with self.assertRaises(FileNotFoundError):
            self.kernel.save(os.path.join(os.path.dirname(self.path), "no", "where"))


if __name__ == "__main__":
    unittest.main()
