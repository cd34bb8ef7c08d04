"""Projects of sandboxes' folders: whose number, on what, and what a hostile jail cannot have them do."""

from __future__ import annotations

import os
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

# As the launcher, outside of the package.
sys.path.insert(0, str(Path(__file__).parents[1] / "atoll_guest/zygote"))
import projects
from projects import Projects
from quota_calls import Quota

_FIRST, _COUNT, _MiB = 5000, 2000, 1024 * 1024


class FileSystem:
    """The kernel's part: projects by inode, limits by project."""

    def __init__(self) -> None:
        self.projects: dict[int, tuple[int, bool]] = {}
        self.quotas: dict[int, Quota] = {}

    def project_of(self, file: int) -> tuple[int, bool]:
        return self.projects.get(os.fstat(file).st_ino, (0, False))

    def set_project(self, file: int, project: int, is_inherited: bool) -> None:
        self.projects[os.fstat(file).st_ino] = (project, is_inherited)

    def read_quota(self, file: int, project: int) -> Quota:
        used = sum(number == project for number, _ in self.projects.values())
        known = self.quotas.get(project, Quota(project))
        return Quota(project, known.hard_kib, known.hard_inodes, used_inodes=used)

    def next_quota(self, file: int, project: int) -> Quota | None:
        return min((quota for quota in self.quotas.values() if quota.project >= project), default=None, key=lambda q: q.project)

    def write_quota(self, file: int, quota: Quota) -> None:
        self.quotas[quota.project] = quota


class ProjectsOfSandboxes(unittest.TestCase):
    def setUp(self) -> None:
        self.fs = FileSystem()
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.root = Path(place.name)
        (self.root / "sandboxes/.parked").mkdir(parents=True)
        names = ("project_of", "set_project", "read_quota", "next_quota", "write_quota")
        for patch in (
            mock.patch.multiple(projects.quota_calls, **{name: getattr(self.fs, name) for name in names}),
            mock.patch.object(projects, "_LOCK", str(self.root / "lock")),
        ):
            patch.start()
            self.addCleanup(patch.stop)
        self.projects = self.open()

    def open(self) -> Projects:
        return Projects(str(self.root / "sandboxes"), ".parked", os.getuid(), _FIRST, _COUNT)

    def make(self, name: str) -> Path:
        folder = self.root / "sandboxes" / name
        for inner in ("workspace/deep/er", "session/artifacts", "outputs"):
            (folder / inner).mkdir(parents=True)
        (folder / "workspace/deep/er/file").write_text("x")
        return folder

    def of(self, path: Path) -> tuple[int, bool]:
        return self.fs.projects.get(path.stat().st_ino, (0, False))

    def test_every_folder_that_code_can_write_to_hands_the_project_on(self) -> None:
        folder = self.make(".parked/7-1-")
        self.projects.limit("parked", "7-1-", 64 * _MiB)
        project, _ = self.of(folder)
        self.assertEqual(self.of(folder), (project, False))
        for inner in ("workspace", "workspace/deep/er", "session/artifacts", "outputs"):
            self.assertEqual(self.of(folder / inner), (project, True), inner)
        self.assertEqual(self.of(folder / "workspace/deep/er/file"), (project, False))
        self.assertEqual(self.fs.quotas[project], Quota(project, hard_kib=64 * 1024, hard_inodes=16384))

    def test_a_folder_keeps_its_number_and_takes_another_limit(self) -> None:
        folder = self.make("again")
        self.projects.limit("named", "again", 64 * _MiB)
        before = self.of(folder)
        self.open().limit("named", "again", 2 * _MiB)
        self.assertEqual(self.of(folder), before)
        self.assertEqual(self.fs.quotas[before[0]].hard_kib, 2048)

    def test_a_number_that_files_have_is_given_to_no_other(self) -> None:
        taken = {_FIRST + number for number in range(_COUNT) if number % 3}
        for number in taken:
            self.fs.projects[-number] = (number, False)
        for name in ("one", "two"):
            self.make(name)
            self.projects.limit("named", name, _MiB)
        given = {self.of(self.root / "sandboxes" / name)[0] for name in ("one", "two")}
        self.assertEqual(len(given), 2)
        self.assertFalse(given & taken)

    def test_a_removed_sandbox_leaves_no_limit_also_to_the_next_process(self) -> None:
        for name, process in (("here", self.projects), ("later", self.open())):
            folder = self.make(name)
            self.projects.limit("named", name, _MiB)
            project, _ = self.of(folder)
            self.fs.projects.clear()
            (process if name == "here" else self.open()).sweep(every_s=0)
            self.assertEqual(self.fs.quotas[project], Quota(project))

    def test_nothing_but_a_folder_of_a_sandbox_can_be_named(self) -> None:
        outside = self.root / "outside"
        outside.mkdir()
        (self.root / "sandboxes/link").symlink_to(outside)
        folder = self.make("linked")
        (folder / "work").symlink_to(outside)
        (folder / "workspace/link").symlink_to(outside)
        for name in ("", "..", ".", "../outside", "/etc", "linked/workspace", ".parked", "a\0b", "x" * 200):
            with self.assertRaises(ValueError, msg=name):
                self.projects.limit("named", name, _MiB)
        for size in (0, 1, -1, 1 << 62):
            with self.assertRaises(ValueError):
                self.projects.limit("named", "linked", size)
        for name in ("link", "linked"):
            with self.assertRaises(OSError):
                self.projects.limit("named", name, _MiB)
        self.assertEqual(self.of(outside), (0, False))

    def test_a_folder_of_another_user_is_refused(self) -> None:
        self.make("foreign")
        foreign = Projects(str(self.root / "sandboxes"), ".parked", os.getuid() + 1, _FIRST, _COUNT)
        with self.assertRaises(PermissionError):
            foreign.limit("named", "foreign", _MiB)
        self.assertEqual(self.fs.projects, {})


if __name__ == "__main__":
    unittest.main()
