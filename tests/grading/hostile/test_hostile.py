"""The grader by itself against the table of hostile submissions, behind both walls, and the holes beside the table."""

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from autograder.grading.grade import grade_submission
from autograder.grading.reading.files import Files
from autograder.grading.reading.submission import read_answers
from autograder.grading.session import worker_sandbox
from autograder.notebook.check import verdict_of
from autograder.processes.wall import best_level
from autograder.runner.protocol import ProtocolError, read_failure, read_observation
from autograder.spec.catalogue import exercises
from autograder.spec.folders import ROOT
from tests.grading.hostile.answers import BEFORE_THE_WALL, BY_NAME, EXERCISES, SECRET_OF_ANOTHER, TABLE
from tests.grading.hostile.limits import LIMITS, limits_for
from tests.walls import ONES, attempts, behind

# Whole systems, in which coverage would take as long again; tests of their parts cover them.
pytestmark = pytest.mark.no_cover

ATTEMPTS = attempts(TABLE, but=[hostile for hostile in TABLE if hostile.name in BEFORE_THE_WALL])
SECRET = "what only the instructor knows"
REFUSALS = (
    "PermissionError",
    "FileNotFoundError",
    "ProcessLookupError",
    "OSError",
    "ValueError",
)  # the last: of limits


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """Something to steal or to spoil, readable by whoever runs the tests."""
    course = tmp_path_factory.mktemp("course")
    (course / "seed").write_text(SECRET)
    neighbour = course / "submitted" / "neighbour" / "01_softmax"
    neighbour.mkdir(parents=True)
    (neighbour / "01_softmax.ipynb").write_text(SECRET_OF_ANOTHER)
    return course


def grade(files, level=None, names=EXERCISES, limits=LIMITS):
    return grade_submission(read_answers(Files("somebody", tuple(sorted(files.items())))), names, SECRET, limits, level)


@pytest.fixture(scope="module", params=ONES)
def level(request):
    with behind(request.param) as level:
        yield level


@pytest.mark.parametrize(("level", "hostile"), ATTEMPTS, indirect=["level"], scope="module")
def test_every_submission_gets_the_honest_score(course, level, hostile):
    status, _ = hostile.outcome["safe_softmax"]
    result = grade(hostile.handed_in(course), level, limits=limits_for(status))
    assert {e["exercise"]: (e["status"], e["points"]) for e in result["exercises"]} == hostile.outcome
    said = json.dumps(result, allow_nan=False)
    assert hostile.said in said and result["sandbox"] == level
    assert not any(secret in said for secret in (SECRET, SECRET_OF_ANOTHER, str(course)))
    assert sorted(path.name for path in course.iterdir()) == ["seed", "submitted"]


def test_where_nothing_can_be_unshared_the_wall_still_stands(course):
    """As in a container that forbids user namespaces: Landlock and the system call filter are all there is."""
    script = (
        "import json, sys; sys.path.insert(0, sys.argv[1])\n"
        "from tests.grading.hostile.answers import BY_NAME, EXERCISES\n"
        "from autograder.grading.grade import grade_submission\n"
        "from autograder.grading.reading.files import Files; from pathlib import Path\n"
        "from autograder.grading.reading.submission import read_answers\n"
        "for name in sys.argv[3:]:\n"
        "    files = tuple(BY_NAME[name].handed_in(Path(sys.argv[2])).items())\n"
        "    result = grade_submission(read_answers(Files(name, files)), EXERCISES, 's', None, 'limits')\n"
        "    print(json.dumps({e['exercise']: [e['status'], e['points']] for e in result['exercises']}))\n"
    )
    without = ["bwrap", "--dev-bind", "/", "/", "--unshare-user", "--disable-userns"]
    names = ("right", "imports_solution", "reads_files", "forks")  # more are graded as if it could not, above
    command = [*(without if best_level() == "bubblewrap" else []), sys.executable, "-c", script]
    command += [str(ROOT), str(course), *names]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
    got = [json.loads(line) for line in done.stdout.splitlines()]
    assert got == [{k: list(v) for k, v in BY_NAME[n].outcome.items()} for n in names], done.stderr
    assert sorted(path.name for path in course.iterdir()) == ["seed", "submitted"]


@pytest.fixture(scope="module")
def sandbox(level):
    return worker_sandbox(level)  # which the grades above have started


@pytest.mark.parametrize(
    "attempt",
    [
        "os.kill(os.getppid() or 1, signal.SIGCONT)",
        "signal.pidfd_send_signal(os.pidfd_open(os.getppid() or 1), signal.SIGCONT)",
        "resource.prlimit(os.getppid() or 1, resource.RLIMIT_CPU)",
        "os.fork()",
        "if ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, 0, 0, 0, 0): raise PermissionError",
        "os.listdir(ROOT)",
        "open(ROOT + '/kernels/softmax.py')",
        "open('/tmp/left-behind', 'w')",
        "os.chmod(ROOT, os.stat(ROOT).st_mode)",
        "os.utime(ROOT + '/README.md')",
        "os.chown(ROOT, -1, -1)",
        "os.setxattr(ROOT + '/README.md', 'user.x', b'')",
        "os.setpriority(os.PRIO_USER, 0, os.getpriority(os.PRIO_USER, 0))",
        "os.sched_setaffinity(os.getppid(), os.sched_getaffinity(0))",
        "os.sched_setscheduler(os.getppid(), os.SCHED_BATCH, os.sched_param(0))",
        "fcntl.fcntl(0, fcntl.F_SETOWN, os.getppid() or 1)",
        "if ctypes.CDLL(None).mq_open(b'/left-behind', os.O_CREAT | os.O_RDWR, 0o600, None) < 0: raise PermissionError",
        "mmap.mmap(-1, 1 << 20, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | MAP_GROWSDOWN)",
        "mmap.mmap(-1, 1 << 20)",
        "resource.setrlimit(resource.RLIMIT_STACK, (1 << 30, 1 << 30))",
    ],
)
def test_a_child_cannot_reach_what_is_not_its_own(sandbox, attempt):
    child = sandbox.child(LIMITS)
    known = f"PR_SET_PDEATHSIG, MAP_GROWSDOWN, ROOT = 1, 0x100, {str(ROOT)!r}"
    assert child.define("imports", f"import ctypes, fcntl, mmap, os, resource, signal\n{known}") is None
    refused = child.define("attempt", attempt)
    assert refused and refused.kind in REFUSALS
    for own in ("resource.setrlimit(resource.RLIMIT_CPU, (9, 9))", "open(os.environ['HOME'] + '/x', 'w').write('x')"):
        assert child.define("own", own) is None
    child.close()
    assert not Path("/tmp/left-behind").exists()


def test_files_without_a_byte_fill_no_memory(sandbox):
    child = sandbox.child(LIMITS)
    on_disk = child.define("home", "import os\nassert os.path.ismount('.')")
    attempt = "n = 0\nwhile True:\n    open(str(n), 'x').close()\n    n += 1"
    if on_disk:
        with pytest.raises(EOFError):  # it has been ended
            child.define("attempt", attempt)
    else:
        full = child.define("attempt", attempt)
        assert full and "No space left" in full.message
    child.close()


def test_no_answer_can_be_prepared_before_its_question(sandbox):
    child, numbers = sandbox.child(LIMITS), set()
    ask = child._ask
    child._ask = lambda request, blobs: numbers.add(ask(request, blobs)[0]["number"]) or ({}, [])
    for _ in range(20):
        child.define("x", "1")
    child.close()
    assert len(numbers) == 20 and max(numbers) > 1 << 40


# What counts bytes runs beside the code that it judges.


def attention_in_numpy(q, k, v, tile_m, tile_n, causal=False, scale=None):
    """All scores at once, where torch's meters do not see them."""
    q, k, v = (np.asarray(x, dtype=np.float64) for x in (q, k, v))
    s = q @ k.transpose(0, 2, 1) * (q.shape[-1] ** -0.5 if scale is None else scale)
    if causal:
        n_q, n_k = s.shape[1:]
        s = np.where(np.arange(n_k) <= np.arange(n_q)[:, None] + n_k - n_q, s, -np.inf)
    m = s.max(axis=-1, keepdims=True)
    p = np.exp(s - np.where(np.isneginf(m), 0, m))
    l = p.sum(axis=-1, keepdims=True)
    return torch.from_numpy((p @ v / np.where(l == 0, 1, l)).astype(np.float32))


def test_leaving_torch_is_seen():
    attention_in_numpy.__name__ = "lazy_attention"
    verdict = verdict_of(attention_in_numpy)
    assert all(case.status == "pass" for case in verdict.cases)  # the values are right
    assert (verdict.status, verdict.points) == ("fail", 0)
    assert "stay within torch" in verdict.over[0].message


PATCH = "import sys\nsys.modules['runner.meters.lines'].Lines._note_peak = lambda self: None\n"


def test_patching_the_meters_is_flagged_and_not_rewarded():
    solution = "import numpy as np\n" + exercises()["online_stats"].source
    honest = grade({"mine.py": solution.encode()}, names=["online_stats"])["exercises"][0]
    assert (honest["status"], honest["points"]) == ("pass", honest["max_points"])
    patched = grade({"mine.py": (PATCH + solution).encode()}, names=["online_stats"])["exercises"][0]
    assert (patched["status"], patched["points"]) == ("flagged", 0)
    assert "sys.modules['runner.meters.lines']" in patched["note"]


# What a child sends is data of any form.

VALUES: list[Any] = [
    None, True, -1, 0, 2**70, 1.5, float("nan"), "x", "\ud800", [], [1], [[]], {}, {"a": []}, [0, 2**61], [2**61, 0],
    [2, 4], {"dtype": [], "shape": [2]}, {"dtype": "int8", "shape": [0, 2**61, 2**61]}, {"dtype": "int8", "shape": [4]},
]  # fmt: skip


def test_an_answer_of_any_form_is_an_observation_or_breaks_the_protocol():
    draw = random.Random(0)
    fields = ["outputs", "failure", "operations", "inputs_changed", "peak_bytes", "peak_line", "steps"]
    taken = 0
    for _ in range(20_000):
        header = {field: draw.choice(VALUES) for field in fields}
        if draw.random() < 0.8:
            spec = draw.choice([draw.choice(VALUES), {"dtype": draw.choice(VALUES), "shape": draw.choice(VALUES)}])
            header |= {"operations": {}, "failure": None, "outputs": [spec]}
        try:
            read_observation(header, draw.choice([[], [b""], [b"1234"], [b"12345678"]]))
            taken += 1
        except ProtocolError:
            pass
    assert 0 < taken < 20_000


def test_a_message_carries_no_fractions():
    message = "[-0.25, 1e-3, 2.5e-07] of shape (4, 65)"
    failure = read_failure({"kind": "E1.5", "message": message, "text": "x * 0.5", "function": "f", "line": 3})
    assert (failure.kind, failure.message) == ("E#", "[#, 1e-3, #] of shape (4, 65)")
    assert failure.text == "x * 0.5"
