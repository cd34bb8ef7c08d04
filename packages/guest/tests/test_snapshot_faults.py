"""A value that cannot be saved or restored is listed, and costs no other value anything."""

import os
import resource
import signal
import subprocess
import sys
import threading
import time
import unittest

from .kernel_shell import KernelTest, MiB, reasons

_BAD_CLASSES = """
import ctypes, os, signal, time
class Bad:
    def __init__(self, how): self.how = how
    def __reduce__(self):
        global touched
        touched = 'changed by a value'
        return self.how()
def raises(): raise KeyError('no')
def exits(): raise SystemExit(3)
def loops():
    while True: pass
def loops_in_c(): ctypes.PyDLL(None).pause()
def leaves(): os._exit(3)
def crashes(): ctypes.string_at(0)
def kills(): os.kill(os.getpid(), signal.SIGKILL)
def grows():
    hoard = []
    while True: hoard.append(bytearray(20_000_000))
def floods(): return (list, (), None, iter(lambda: 'x' * 100_000, None))
def forks():
    if os.fork() == 0: time.sleep(60)
    os._exit(0)
touched = 'untouched'
"""


class Saving(KernelTest):
    def test_where_files_are_small_the_values_leave_room_for_what_lists_them(self) -> None:
        before = resource.getrlimit(resource.RLIMIT_FSIZE)
        self.addCleanup(resource.setrlimit, resource.RLIMIT_FSIZE, before)
        self.run_cell("import os\nfor i in range(100): globals()[f'v{i}'] = os.urandom(3000)")
        resource.setrlimit(resource.RLIMIT_FSIZE, (200 * 1024, before[1]))
        saved, loaded = self.save_and_load()
        self.assertIn("v0", loaded["restored"])
        self.assertIn("does not fit", reasons(saved)["v99"])
        self.assertLessEqual(saved["sizeBytes"], 200 * 1024)

    def test_what_has_no_pickle_is_listed_with_name_type_and_reason(self) -> None:
        self.run_cell("import threading, socket, sqlite3, subprocess")
        self.run_cell(
            "first = 1; file = open('/dev/null'); binary = open('/dev/null', 'rb'); gen = (i for i in [])"
        )
        self.run_cell("lock = threading.Lock(); thread = threading.Thread(); sock = socket.socket()")
        self.run_cell("db = sqlite3.connect(':memory:'); frame = __import__('sys')._getframe(); last = 2")
        self.run_cell("deep = []\nfor _ in range(100_000): deep = [deep]")
        saved, loaded = self.save_and_load()
        self.assertEqual(
            loaded["restored"], ["threading", "socket", "sqlite3", "subprocess", "first", "last"]
        )
        self.assertEqual(
            [(entry["name"], entry["type"]) for entry in saved["lost"]],
            [
                ("file", "_io.TextIOWrapper"),
                ("binary", "_io.BufferedReader"),
                ("gen", "generator"),
                ("lock", "_thread.lock"),
                ("thread", "threading.Thread"),
                ("sock", "socket.socket"),
                ("db", "sqlite3.Connection"),
                ("frame", "frame"),
                ("deep", "list"),
            ],
        )
        self.assertEqual(
            reasons(saved)["file"], "cannot be pickled: TypeError: cannot pickle '_io.TextIOWrapper' object"
        )
        self.assertEqual(reasons(saved)["deep"], "cannot be pickled: nested too deeply")
        self.assertEqual(loaded["lost"], saved["lost"])

    def test_values_that_hang_crash_or_grow_cost_only_themselves(self) -> None:
        self.run_cell(_BAD_CLASSES)
        names = "raises exits loops loops_in_c leaves crashes kills floods forks".split()
        for number, name in enumerate(names):
            self.run_cell(f"bad_{name} = Bad({name}); good_{number} = [{number}]")
        self.run_cell("again = bad_loops; holder = {'deep': [bad_loops]}")
        saved, loaded = self.save_and_load(value_timeout_s=1.0, max_value_bytes=2 * MiB)
        self.assertEqual(
            reasons(saved),
            {
                "bad_raises": "cannot be pickled: KeyError: 'no'",
                "bad_exits": "cannot be pickled: SystemExit: 3",
                "bad_loops": "took longer than 1 s",
                "bad_loops_in_c": "took longer than 1 s",
                "bad_leaves": "crashed while being saved (exit code 3)",
                "bad_crashes": "crashed while being saved (SIGSEGV)",
                "bad_kills": "crashed while being saved (SIGKILL)",
                "bad_floods": "larger than 2 MB",
                "bad_forks": reasons(saved)["bad_forks"],
                "again": "took longer than 1 s",
                "holder": "holds 'bad_loops', which cannot be saved",
            },
        )
        self.assertIn(
            reasons(saved)["bad_forks"], ("took longer than 1 s", "crashed while being saved (exit code 0)")
        )
        self.assertEqual(loaded["lost"], saved["lost"])
        self.assertEqual([self.kernel.get(f"good_{number}") for number in range(9)], [[n] for n in range(9)])
        self.assertEqual(self.kernel.get("touched"), "untouched")

    def test_a_value_that_grows_without_bound_is_stopped(self) -> None:
        self.run_cell(_BAD_CLASSES + "\nbad = Bad(grows); good = 1")
        saved = self.kernel.save(self.path, max_value_bytes=MiB)
        self.assertEqual(reasons(saved), {"bad": "needs too much memory to be saved"})

    def test_what_would_be_saved_as_a_mere_name_is_lost(self) -> None:
        self.run_cell("import functools\ndef slow(): return 1\nfast = functools.lru_cache(slow)")
        self.run_cell("class Named:\n    def __reduce__(self): return 'named'\nnamed = Named()")
        saved = self.kernel.save(self.path)
        self.assertEqual(sorted(reasons(saved)), ["fast", "named"])

    def test_the_kernel_is_not_changed_by_saving(self) -> None:
        self.run_cell(_BAD_CLASSES + "\nbad = Bad(raises)\nimport io\nout = io.StringIO()")
        self.run_cell(
            "class Loud:\n"
            "    def __reduce__(self):\n"
            "        print('hello'); os.write(1, b'hi'); return list, ()\n"
        )
        self.run_cell("loud = Loud()")
        before = dict(self.kernel.shell.user_ns)
        files = os.listdir("/proc/self/fd")
        self.kernel.save(self.path)
        self.assertEqual(before, self.kernel.shell.user_ns)
        self.assertEqual(files, os.listdir("/proc/self/fd"))
        with self.assertRaises(ChildProcessError):
            os.waitpid(-1, os.WNOHANG)

    def test_finalizers_of_the_child_do_not_reach_the_kernel(self) -> None:
        self.run_cell("import tempfile, os\nfolder = tempfile.TemporaryDirectory(); path = folder.name")
        self.kernel.save(self.path)
        self.assert_holds("os.path.isdir(path)")
        self.run_cell("folder.cleanup()")

    def test_only_a_failure_costs_a_fork(self) -> None:
        self.run_cell(
            _BAD_CLASSES + "\nfor n in range(300): globals()[f'v{n}'] = [n]\nbad = Bad(leaves); last = []"
        )
        forks = []
        original = os.fork
        os.fork = lambda: forks.append(1) or original()
        try:
            self.kernel.save(self.path)
        finally:
            os.fork = original
        self.assertEqual(len(forks), 2)

    def test_limits_on_one_value_and_on_all(self) -> None:
        self.run_cell("a = bytes(3_000_000); b = bytearray(600_000); c = bytes(700_000); d = b'small'")
        self.run_cell("big = [b, c, bytes(500_000)]")
        saved, loaded = self.save_and_load(max_value_bytes=2 * MiB, max_bytes=1 * MiB)
        self.assertEqual(
            reasons(saved),
            {
                "a": "does not fit: the snapshot may have 1 MB",
                "c": "does not fit: the snapshot may have 1 MB",
                "big": "holds 'c', which cannot be saved",
            },
        )
        self.assertLess(saved["sizeBytes"], MiB)
        self.assertEqual(loaded["restored"], ["b", "d"])
        self.kernel.run("a = bytes(3_000_000); z = 1")
        self.assertEqual(
            reasons(self.kernel.save(self.path, max_value_bytes=2 * MiB)), {"a": "larger than 2 MB"}
        )

    def test_a_huge_array_is_refused_without_being_written(self) -> None:
        try:
            import numpy  # noqa: F401
        except ImportError:
            self.skipTest("numpy is not installed")
        self.run_cell("import numpy as np\nhuge = np.zeros(2_000_000_000, dtype='u1'); n = 1")
        started = time.process_time()
        saved = self.kernel.save(self.path)
        self.assertLess(time.process_time() - started, 2)
        self.assertEqual(reasons(saved), {"huge": "larger than 100 MB"})

    def test_an_interrupt_leaves_the_old_snapshot_and_no_process(self) -> None:
        self.run_cell("n = 1")
        self.kernel.save(self.path)
        with open(self.path, "rb") as file:
            before = file.read()
        self.run_cell(_BAD_CLASSES + "\nbad = Bad(loops)")
        with self.assertRaises(KeyboardInterrupt):
            threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
            self.kernel.save(self.path)
        with open(self.path, "rb") as file:
            self.assertEqual(file.read(), before)
        self.assertEqual(os.listdir(os.path.dirname(self.path)), [os.path.basename(self.path)])
        with self.assertRaises(ChildProcessError):
            os.waitpid(-1, os.WNOHANG)

    def test_a_full_disk_is_an_error_and_leaves_the_old_snapshot(self) -> None:
        self.run_cell("n = 1")
        self.kernel.save(self.path)
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        self.run_cell("n = 'x' * 5000")
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, hard))
        try:
            saved = self.kernel.save(self.path)
            self.assertIn("does not fit", reasons(saved)["n"])
            resource.setrlimit(resource.RLIMIT_FSIZE, (16, hard))
            with self.assertRaises(OSError):
                self.kernel.save(self.path)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        self.assertEqual(self.kernel.load(self.path), {"restored": [], "lost": saved["lost"]})
        self.assertEqual(os.listdir(os.path.dirname(self.path)), [os.path.basename(self.path)])

    def test_threads_and_locks_of_the_kernel_do_no_harm(self) -> None:
        self.run_cell(
            "import threading, logging, time\n"
            "stop = threading.Event(); lock = threading.RLock(); values = list(range(1000))\n"
            "def work():\n"
            "    while not stop.is_set():\n"
            "        with lock: logging.getLogger('x').debug('y'); str(values); time.sleep(0.0001)\n"
            "workers = [threading.Thread(target=work, daemon=True) for _ in range(4)]\n"
            "[worker.start() for worker in workers]\n"
            "try:\n"
            "    import numpy\n"
            "    product = numpy.ones((400, 400)) @ numpy.ones((400, 400))  # Starts the threads of BLAS.\n"
            "except ImportError: pass\n"
        )
        try:
            for _ in range(15):
                saved = self.kernel.save(self.path)
                self.assertEqual(sorted(reasons(saved)), ["lock", "stop", "workers"])
        finally:
            self.run_cell("stop.set()\n[worker.join() for worker in workers]")


class Restoring(KernelTest):
    def test_values_that_fail_hang_or_exit_cost_only_themselves(self) -> None:
        self.run_cell(
            "import time\nclass Bad:\n    def __init__(self, how): self.how = how\n"
            "    def __setstate__(self, state): state['how']()\n"
            "def fails(): 1 / 0\n"
            "def hangs():\n"
            "    while True: time.sleep(0.01)\n"
            "def exits(): raise SystemExit(1)\n"
            "a = 1; fail = Bad(fails); hang = Bad(hangs); exit_ = Bad(exits); holder = [fail]; z = 2"
        )
        self.assertEqual(self.kernel.save(self.path)["lost"], [])
        self.kernel.clear()
        loaded = self.kernel.load(self.path, value_timeout_s=1.0)
        self.assertEqual(
            reasons(loaded),
            {
                "fail": "cannot be restored: ZeroDivisionError: division by zero",
                "hang": "took longer than 1 s",
                "exit_": "cannot be restored: SystemExit: 1",
                "holder": "needs 'fail', which was not restored",
            },
        )
        self.assertEqual({entry["type"] for entry in loaded["lost"]}, {"Bad", "list"})
        self.assert_holds("a == 1 and z == 2")
        self.assertEqual(signal.getsignal(signal.SIGALRM), signal.SIG_DFL)

    def test_what_crashes_the_kernel_is_named_before_and_can_be_skipped(self) -> None:
        self.run_cell("a = [1]; b = [a]; c = [2]")
        self.kernel.save(self.path)
        self.kernel.clear()
        tried: list[str] = []
        loaded = self.kernel.load(self.path, skip={"a"}, on_value=tried.append)
        self.assertEqual(loaded["restored"], ["c"])
        self.assertEqual(reasons(loaded)["a"], "crashed while being restored")
        self.assertNotIn("a", tried)
        self.assertIn("b", tried)

    def test_restoring_in_another_thread_works_without_the_guard(self) -> None:
        self.run_cell("a = [1]")
        self.kernel.save(self.path)
        self.kernel.clear()
        thread = threading.Thread(target=self.kernel.load, args=(self.path,))
        thread.start()
        thread.join()
        self.assertEqual(self.kernel.get("a"), [1])


class WithoutLibraries(unittest.TestCase):
    def test_plain_pickle_does_where_cloudpickle_is_missing(self) -> None:
        script = (
            "import sys\n"
            "for name in ('cloudpickle', 'pandas', 'numpy', 'matplotlib'): sys.modules[name] = None\n"
            "from tests.kernel_shell import Kernel, reasons\n"
            "from atoll_guest.kernel import libraries, tables\n"
            "import tempfile, os\n"
            "path = os.path.join(tempfile.mkdtemp(), 's'); k = Kernel()\n"
            "k.run('import json\\nclass A: pass\\ndef f(): return 1\\na = A(); b = [a]; g = lambda: 1')\n"
            "assert list(reasons(k.save(path))) == ['g'], k.save(path)\n"
            "k.clear(); k.load(path); assert k.run('isinstance(b[0], A) and b[0] is a and f() == 1')\n"
            "libraries.preload(); libraries.flush_figures(); assert tables.to_table(1) is None\n"
        )
        root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
        done = subprocess.run(
            [sys.executable, "-c", script], cwd=root, capture_output=True, text=True, timeout=60
        )
        self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main()
