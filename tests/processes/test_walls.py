"""What SECURITY.md says of each wall: what a submission can do behind it, and what not."""

import contextlib
import os
import shutil

import pytest

from autograder.grading.grade import grade_submission
from autograder.grading.reading.files import Files
from autograder.grading.reading.submission import read_answers
from autograder.processes.child_link import Limits
from autograder.processes.sandbox import Sandbox
from autograder.spec.catalogue import exercise_named
from autograder.spec.folders import ROOT
from autograder.spec.interpreter import has_triton
from tests.walls import WALLS, behind

# Whole systems, in which coverage would take as long again; tests of their parts cover them.
pytestmark = pytest.mark.no_cover

LIMITS = Limits(memory=256 << 20, seconds=60)  # an interpreter looks at its children when it gets a processor
NO_LANDLOCK = {"B without Landlock", "D"}
# Behind which walls each of these is possible.
ATTEMPTS: dict[str, set[str]] = {
    "open(GRADERS)": NO_LANDLOCK,
    "open(GRADERS, 'a')": NO_LANDLOCK,
    "open(ROOT + '/kernels/softmax.py')": {"D"},
    "open(f'/proc/{GRADER}/cmdline')": {"D"},
    "open('large', 'wb').write(bytes(17 << 20))": set(),
    "os.chmod(GRADERS, 0o600)": set(),
    "os.utime(GRADERS)": set(),
    "os.kill(GRADER, 0)": set(),
    "os.setpriority(os.PRIO_PROCESS, GRADER, 19)": set(),
    "os.sched_setaffinity(GRADER, {0})": set(),
    "resource.prlimit(GRADER, resource.RLIMIT_CPU)": set(),
    "os.fork()": set(),
    "socket.socket()": set(),
    "denied(libc.unshare(0x10000000))": set(),
    "denied(libc.ptrace(16, GRADER, 0, 0))": set(),
    "denied(libc.prctl(1, 0, 0, 0, 0))": set(),
    "open(f'/proc/{os.getppid()}/mem', 'r+b')": set(),
    "denied(libc.shmget(0, 4096, 0o1600))": set(),
    "denied(libc.fallocate(own(), 1, off_t(0), off_t(1 << 40)))": set(),  # room on the disk that no size shows
    "fcntl.ioctl(own(), 0x4030582A, bytes(48))": set(),  # FS_IOC_RESVSP64, the same
    "fcntl.ioctl(os.open(ctypes.__file__, os.O_RDONLY), 0x40086602, bytes(8))": set(),  # FS_IOC_SETFLAGS
    "fcntl.fcntl(os.open(ctypes.__file__, os.O_RDONLY), fcntl.F_SETLEASE, fcntl.F_RDLCK)": set(),
    "fcntl.lockf(own(), fcntl.LOCK_EX)": set(),
    "fcntl.flock(own(), fcntl.LOCK_EX)": set(),
    "denied(libc.inotify_init())": set(),
    "denied(libc.syncfs(own()))": set(),
    "socket.socketpair()": set(),
    "os.memfd_create('x')": set(),
    "mmap.mmap(-1, 4096)": set(),
    "bytearray(1 << 30)": set(),
    "[open('/dev/null') for _ in range(100)]": set(),
}
KNOWN = """
import ctypes, fcntl, mmap, os, resource, socket
off_t = ctypes.c_long
def own():
    return os.open('own', os.O_CREAT | os.O_RDWR)
GRADER, GRADERS, ROOT, libc = {grader}, {graders!r}, {root!r}, ctypes.CDLL(None)
def denied(result):
    if result < 0:
        raise PermissionError
"""


@pytest.fixture(scope="module", params=WALLS)
def wall(request):
    """Its name, its level, and a sandbox behind it, which is started once."""
    with behind(request.param) as level, Sandbox(level) as sandbox:
        yield request.param, level, sandbox


def test_a_wall_holds_what_is_said_of_it_and_no_more(tmp_path, wall):
    name, _, sandbox = wall
    graders = tmp_path / "seed"
    graders.write_text("secret")
    known = KNOWN.format(grader=os.getpid(), graders=str(graders), root=str(ROOT))
    child = sandbox.child(LIMITS)
    assert child.define("known", known) is None
    possible = {attempt for attempt in ATTEMPTS if child.define("attempt", attempt) is None}
    child.close()  # and leaves a file
    another = sandbox.child(LIMITS)
    assert another.define("find", "import os\nassert not os.path.exists('large')") is None
    another.close()
    assert possible == {attempt for attempt, walls in ATTEMPTS.items() if name in walls}


FILLED = (
    "for n in range(1200): open(str(n), 'x').close()",
    "for n in range(2): open(str(n), 'wb').write(bytes(9 << 20))",
    "for n in range(600): os.makedirs(f'{n}/inner')",
)


def test_more_than_a_home_holds_is_refused_or_ends_its_author(wall):
    *_, sandbox = wall
    for attempt in FILLED:
        child = sandbox.child(LIMITS)
        code = (
            f"import os, time\ndef fill():\n    {attempt}\n    time.sleep(50)\nfill()"  # no statement stands behind it
        )
        with contextlib.suppress(EOFError):  # ended
            assert child.define("fill", code) is not None, attempt
        child.close()


WRITTEN = """
import ctypes, time
libc, each = ctypes.CDLL(None), 100 << 20
libc.mmap.restype, libc.mmap.argtypes = ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, off_t]
libc.mprotect.argtypes = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int
for _ in range(60):
    at = libc.mmap(None, each, 3, 0x22, -1, 0)
    assert at != 2**64 - 1
    ctypes.memset(at, 1, each)
    assert libc.mprotect(at, each, 1) == 0
time.sleep(50)
"""


def test_memory_that_is_written_and_then_closed_to_writing_counts_too(wall):
    *_, sandbox = wall
    child = sandbox.child(LIMITS)
    with pytest.raises(EOFError):  # it has been ended
        child.define("fill", f"import ctypes\noff_t = ctypes.c_long\n{WRITTEN}")
    child.close()


THREADS = """
import threading, time
threading.stack_size(1 << 16)
for _ in range(3000): threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
time.sleep(50)
"""


def test_who_starts_very_many_threads_is_refused_or_ended_and_leaves_others_theirs(wall):
    _, level, one = wall
    with Sandbox(level) as other:
        hostile, innocent = one.child(LIMITS), other.child(LIMITS)
        with contextlib.suppress(EOFError):  # ended
            assert hostile.define("many", THREADS) is not None
        assert innocent.define("few", "import threading\nthreading.Thread(target=len, args=('',)).start()") is None
        hostile.close()
        innocent.close()


KINDS = {
    "safe_softmax": ("py", True),
    "scale_vector": ("cu", bool(shutil.which("g++") or shutil.which("clang++"))),
    "vector_add": ("py", has_triton()),
}


@pytest.fixture(scope="module", params=["A without nesting", "D"])
def level(request):
    """Behind A, B and C the tables of hostile submissions hold right ones, too."""
    with behind(request.param) as level:
        yield level


@pytest.mark.parametrize("name", KINDS)
def test_right_answers_of_every_kind_are_right_behind_every_wall(level, name):
    suffix, can_run = KINDS[name]
    if not can_run:
        pytest.skip("no compiler for this one on this machine")
    files = Files("somebody", ((f"answer.{suffix}", exercise_named(name).source.encode()),))
    (result,) = grade_submission(read_answers(files), [name], "a seed", level=level)["exercises"]
    assert (result["status"], result["over_budget"]) == ("pass", [])
