"""Nothing outlives the process that started it, not even where that is killed while all that it has started is busy."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from autograder.spec.folders import PACKAGES
from tests.walls import ONES

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are seen in /proc here")

LOOP = "open('/dev/null'); import time\nwhile True:\n    pass"
BUSY = f"""
import sys, threading, time
from autograder.processes import helpers
from autograder.processes.child_link import Limits
from autograder.processes.sandbox import Sandbox
from tests.walls import behind
helpers.SECONDS["compiles"] = 600
children = [helpers.forked(does) for does in ("compiles",)]
sandboxes = []
for name in sys.argv[1:]:
    with behind(name) as level:
        sandboxes.append(Sandbox(level))
children = [child for child in (*children, *(sandbox.child(Limits(seconds=600)) for sandbox in sandboxes)) if child]
for child in children:
    child.define("ready", "x = 1")
    threading.Thread(target=child.define, args=("busy", {LOOP!r}), daemon=True).start()
print("begun", flush=True)
time.sleep(600)
"""


def running():
    """State and parent of each process; what has ended and only waits to be reaped is left out."""
    found = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                state, parent = (folder / "stat").read_text().rsplit(")", 1)[1].split()[:2]
            except OSError:
                continue
            if state != "Z":
                found[int(folder.name)] = state, int(parent)
    return found


def below(ancestor):
    """All processes that descend from it, with their states."""
    known = running()
    found = {ancestor}
    while more := {child for child, (_, parent) in known.items() if parent in found} - found:
        found |= more
    return {process: known[process][0] for process in found - {ancestor}}


def once_busy(ancestor, many):
    """The processes that descend from it, once so many of them work without a pause: on a loaded machine that is late.

    One look does not tell: an interpreter that forks others is awake for a moment ten times a second.
    """
    deadline, working = time.monotonic() + 60, set[int]()
    while len(working) != many and time.monotonic() < deadline:
        looks = []
        for _ in range(5):
            time.sleep(0.1)
            looks.append({process for process, state in below(ancestor).items() if state == "R"})
        working = set.intersection(*looks)
    assert len(working) == many, f"{many} are busy, and {len(working)} descend from it"
    return below(ancestor)


def test_helpers_and_sandboxes_end_with_a_killed_parent_though_they_are_busy(start):
    """The process that compiles, and a sandbox behind each wall, each in a loop without end."""
    walls = [*ONES, "D"]
    environment = os.environ | {"PYTHONPATH": str(PACKAGES)}
    parent = start([sys.executable, "-c", BUSY, *walls], stdout=subprocess.PIPE, env=environment)
    try:
        assert parent.stdout.readline() == b"begun\n"
        started = once_busy(parent.pid, 1 + len(walls))
    finally:
        parent.kill()
        parent.wait()
        parent.stdout.close()
    deadline = time.monotonic() + 60
    while (left := started.keys() & running().keys()) and time.monotonic() < deadline:
        time.sleep(0.1)
    try:
        assert left == set()
    finally:
        for pid in left:
            os.kill(pid, 9)
