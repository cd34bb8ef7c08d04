"""Leaves something behind that fills the disk when the run is over. The sign is gone when it was refused, or is done."""

import subprocess
import sys
import threading

source = """
import os, time
open(sign, "w").close()
try:
    for n in range(4 * limit // step):
        with open(f"hoard-{n}", "wb") as file:
            file.write(os.urandom(step))
            file.flush()
            os.fsync(file.fileno())
        time.sleep(0.05)
except OSError:
    pass
os.remove(sign)
"""
names = {"limit": ARGS["limit"], "step": ARGS["step"], "sign": ARGS["sign"]}  # noqa: F821
open(ARGS["sign"], "w").close()  # noqa: F821
if ARGS["kind"] == "thread":  # noqa: F821
    threading.Thread(target=exec, args=(source, names)).start()
else:
    settings = "".join(f"{name} = {value!r}\n" for name, value in names.items())
    subprocess.Popen([sys.executable, "-c", settings + source], start_new_session=True)
