"""The wall itself: what a child can reach, and what ends it."""

import os
import shutil
import subprocess
import sys
import sysconfig
import time
import venv
from dataclasses import replace

import numpy as np
import pytest

from autograder.grading import grade, session
from autograder.grading.class_report import report
from autograder.grading.class_table import class_table
from autograder.grading.reading.files import Files
from autograder.grading.reading.submission import read_answers
from autograder.processes.child_link import Limits, SandboxError
from autograder.processes.sandbox import Sandbox
from autograder.processes.wall import around, best_level, bwrap, out_of_reach, started
from autograder.runner.protocol import ProtocolError
from autograder.showing.terminal import show
from autograder.showing.text import text
from autograder.spec.catalogue import exercise_named
from autograder.spec.folders import PACKAGES
from simt import compiler
from simt.source import Source
from tests.walls import LEVELS, ONES, behind

QUICK = Limits(memory=256 << 20, seconds=2)
SHORT = replace(QUICK, seconds=0.5)
SLOW = replace(QUICK, seconds=60)


@pytest.fixture(scope="module", params=ONES)
def sandbox(request):
    with behind(request.param) as level, Sandbox(level) as sandbox:
        yield sandbox


@pytest.fixture
def child(sandbox):
    child = sandbox.child(QUICK)
    child.define("setup", "import os, sys, numpy as np")
    yield child
    child.close()


def refused(child, source):
    """The kind of exception that the cell ended in."""
    failure = child.define("attempt", source)
    assert failure is not None, f"{source!r} was allowed"
    return failure.kind


def test_a_call_crosses_the_wall_and_comes_back(child):
    assert child.define("f", "def f(x, n):\n    return x.T * n, x.sum()") is None
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    seen = child.call("f", {"x": x, "n": 2}, "numpy", once=True)
    assert np.array_equal(seen.outputs[0], 2 * x.T) and seen.outputs[1] == 15 and seen.counts["steps"] == 1


def test_what_gradients_need_is_imported_before_the_child_and_not_in_its_time(sandbox):
    child = sandbox.child(QUICK, differentiates=True)
    assert child.define("seen", "import sys, torch\nassert 'sympy' in sys.modules") is None
    child.define("f", "def f(x):\n    x = x.clone().requires_grad_()\n    return torch.autograd.grad((x * x).sum(), x)")
    seen = child.call("f", {"x": np.ones(3, np.float32)}, "torch", once=True)
    child.close()
    assert seen.failure is None and np.array_equal(seen.outputs[0], np.full(3, 2))


def test_a_crash_names_its_line_in_the_cell(child):
    child.define("f", "def f(x):\n    y = x + 1\n    return y[7]")
    failure = child.call("f", {"x": np.zeros(2)}, "numpy", once=False).failure
    assert (failure.kind, failure.line, failure.text) == ("IndexError", 3, "return y[7]")


FREED = """
def f(n):
    for make in (np.empty, lambda n: np.add(np.zeros(n), 0, where=False)):
        x = make(n)
        x[:] = 7
        del x
        yield (make(n) == 7).sum()
        x = torch.empty(n)
        x.fill_(7)
        del x
        yield int((torch.empty(n) == 7).sum())
"""


@pytest.mark.parametrize("n", [10, 100, 1000, 30_000])
def test_freed_memory_does_not_hold_what_was_in_it(child, n):
    assert child.define("f", f"import torch\n{FREED}") is None
    assert child.define("found", f"assert list(f({n})) == [0] * 4") is None


def test_clocks_do_not_tell_how_long_anything_takes(child):
    assert child.define("clock", "import time\nfrom time import monotonic\nlooked = [time.perf_counter_ns()]") is None
    assert child.define("later", "sum(range(10**6))\nlooked += [time.perf_counter_ns() for _ in range(3)]") is None
    assert child.define("same", "assert len({b - a for a, b in zip(looked, looked[1:])}) == 1") is None
    assert child.define("more", "assert monotonic() < monotonic() < time.time()") is None


def test_a_call_that_counts_is_made_as_if_it_were_the_first(child):
    child.define("f", "called = []\ndef f(x):\n    called.append(x)\n    return len(called)")
    seen = [child.call("f", {"x": 1}, "numpy", once=once).outputs[0] for once in (True, True, False, True)]
    assert list(map(int, seen)) == [1, 1, 3, 1]  # where it may be called twice it is


def test_a_child_has_nothing_of_the_grader(child, sandbox):
    os.environ["TILEWISE_TEST_SECRET"] = "s3cret"
    assert child.define("env", "assert 's3cret' not in str(dict(os.environ))") is None
    assert refused(child, "import kernels.online_softmax") in ("ModuleNotFoundError", "PermissionError")
    if sandbox.level == "bubblewrap":
        assert refused(child, "open('/etc/passwd')") == "FileNotFoundError"
        assert child.define("pid", "assert os.getpid() == 1") is None
    new = f"open('/tmp/tilewise-{os.getpid()}', 'w')"  # where nobody has left anything
    for source in (f"os.listdir({os.getcwd()!r})", "os.listdir('/proc')", new, "open('/etc/shadow')"):
        assert refused(child, source) in ("FileNotFoundError", "PermissionError", "OSError")


@pytest.mark.parametrize(
    "source",
    [
        "os.fork()",
        "import subprocess; subprocess.run(['true'])",
        "import multiprocessing as m; m.Process(target=print).start()",
        "import socket; socket.socket()",
        "import ctypes; assert ctypes.CDLL(None).unshare(0x10000000) == 0",
        "import ctypes; assert ctypes.CDLL(None).ptrace(0, 0, 0, 0) == 0",
        "open(os.environ['HOME'] + '/big', 'wb').write(bytes(17 << 20))",
        "os.kill(os.getppid(), 0)",
        "import mmap; mmap.mmap(-1, 4096)",  # shared memory, which no limit counts
        "os.memfd_create('x')",
        "import ctypes; assert ctypes.CDLL(None).shmget(0, 4096, 0o1600) >= 0",
    ],
)
def test_what_a_child_may_not_do(child, source):
    assert refused(child, source)


def test_threads_are_allowed(child):
    assert child.define("t", "import threading\nt = threading.Thread(target=print)\nt.start()\nt.join()") is None


def test_memory_ends_in_memory_error(child):
    assert refused(child, "a = np.ones(1 << 27)") == "MemoryError"


def test_small_numbers_that_are_kept_do_not_hold_the_room_of_the_large_ones_they_came_from(child):
    """A row of 120 kB each time, of which a number is kept: 480 MB, if the rows' room were lost to them."""
    child.define("torch", "import torch")
    kept = "row, kept = torch.ones(30_000), []\nfor n in range(4000):\n    kept.append((row * 2)[n].clone())"
    assert child.define("keeps", kept) is None


def test_the_next_child_finds_nothing_of_the_last(sandbox):
    for _ in range(2):
        child = sandbox.child(QUICK)
        source = "import os\nleft = os.environ['HOME'] + '/left'\nassert not os.path.exists(left)\nopen(left, 'w')"
        assert child.define("leave", source) is None
        child.close()


def test_an_endless_loop_is_stopped_and_the_next_child_works(sandbox):
    child = sandbox.child(SHORT)
    begin = time.monotonic()
    with pytest.raises(TimeoutError):
        child.define("loop", "while True:\n    try:\n        while True: pass\n    except BaseException: pass")
    assert time.monotonic() - begin < 60
    child.close()
    child = sandbox.child(QUICK)
    assert child.define("fine", "x = 1") is None
    child.close()


def test_a_deadline_is_one_for_all_answers_and_may_be_longer_than_the_limit_of_each(sandbox):
    for deadline, limits, seconds, ends_well in ((60, SHORT, 0.8, True), (0.7, SLOW, 0.3, False)):
        child = sandbox.child(limits)
        child.deadline = time.monotonic() + deadline
        begin = time.monotonic()
        try:
            for _ in range(1 if ends_well else 4):
                assert child.define("sleep", f"import time; time.sleep({seconds})") is None
            assert ends_well
        except TimeoutError:
            assert not ends_well and time.monotonic() - begin < SLOW.seconds
        child.close()


@pytest.mark.parametrize("end", ["os._exit(0)", "os.abort()", "import ctypes; ctypes.string_at(0)"])
def test_a_child_that_ends_itself_is_noticed(sandbox, end):
    child = sandbox.child(QUICK)
    with pytest.raises(EOFError):
        child.define("end", "import os; " + end)
    child.close()


@pytest.mark.parametrize(
    "forge",
    [
        "b'garbage garbage garbage'",
        "b'\\xff\\xff\\xff\\xff'",
        "b'\\0\\0\\0\\x0d{\"blobs\": []}'",
        'b\'\\0\\0\\0\\x3d\' + b\'{"blobs": [], "number": 99, "failure": null, "verdict": "ok"}\'',
    ],
)
def test_a_message_forged_onto_the_socket_is_no_answer(sandbox, forge):
    child = sandbox.child(QUICK)
    write = f"import os\nfor fd in range(3, 64):\n    try: os.write(fd, {forge})\n    except OSError: pass\nos._exit(0)"
    with pytest.raises((ProtocolError, EOFError)):
        child.define("forge", write)
    child.close()


def test_a_killed_interpreter_is_the_graders_fault_not_the_students():
    from autograder.processes.child_link import SandboxError

    with Sandbox() as sandbox:
        sandbox._process.kill()
        sandbox._process.wait()
        with pytest.raises(SandboxError):
            sandbox.child(QUICK)


# What is missing on the grader's machine.


@pytest.fixture
def no_compiler(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    compiler.compiler.cache_clear()
    yield
    compiler.compiler.cache_clear()


NAMES = ["scale_vector", "thread_softmax", "scale_columns", "naive_softmax", "reverse_tile"]


def test_a_missing_compiler_is_known_at_once_and_costs_nothing(no_compiler, monkeypatch, capsys):
    started = []
    monkeypatch.setattr(session, "Sandbox", lambda *given: started.append(given))
    answers = tuple((f"{name}.cu", exercise_named(name).source.encode()) for name in NAMES if name != "naive_softmax")
    verdicts, _ = grade.verdicts_for(read_answers(Files("somebody", answers)), NAMES, "a seed")
    for verdict in verdicts:
        waits = verdict.name != "naive_softmax"
        assert (verdict.status, verdict.note) == (("infra", compiler.MISSING) if waits else ("not_attempted", ""))
    assert not started
    first_line = text(verdicts[0]).splitlines()[0]
    assert first_line == "scale_vector: not graded; no points are lost   - / 1 point"

    result = grade.result_of(read_answers(Files("somebody", answers)), verdicts, [], "a seed", "limits")
    show(class_table([result, result]))
    said = " ".join(capsys.readouterr().out.split())
    assert said.count("g++") == 1 and "Not graded: scale_vector, thread_softmax, scale_columns and 1 more. " in said
    assert report([result]).count("<td class=look>waits</td>") == 4


def test_a_sandbox_that_fails_is_tried_again(monkeypatch):
    """Beside what is missing, which is not: the next attempt would end alike."""
    tried = []

    def fails(*given):
        tried.append(given)
        raise SandboxError("no word from it")

    session.discard_sandbox()
    monkeypatch.setattr(session, "Sandbox", fails)
    source = b"import numpy as np\n" + exercise_named("naive_softmax").source.encode()
    (verdict,), _ = grade.verdicts_for(
        read_answers(Files("somebody", (("a.py", source),))), ["naive_softmax"], "a seed"
    )
    assert (verdict.status, verdict.note, len(tried)) == ("infra", "no word from it", grade.ATTEMPTS)


# Programs that the grader's PATH alone finds.

BWRAP, PRLIMIT, GCC = map(shutil.which, ("bwrap", "prlimit", "g++"))


@pytest.fixture
def elsewhere(tmp_path, monkeypatch):
    """A folder that alone is looked into for programs, and, behind it, one in it for compilers."""
    (tmp_path / "compilers").mkdir()
    monkeypatch.setenv("PATH", f"{tmp_path}:{tmp_path}/compilers")
    finders = (bwrap, best_level, compiler.compiler)
    for find in finders:
        find.cache_clear()
    for program in filter(None, (BWRAP, PRLIMIT)):
        (tmp_path / os.path.basename(program)).symlink_to(program)
    yield tmp_path
    for find in finders:
        find.cache_clear()


@pytest.mark.skipif("bubblewrap" not in LEVELS, reason="no bubblewrap on this machine")
def test_bubblewrap_may_lie_anywhere(elsewhere, monkeypatch):
    monkeypatch.setattr("autograder.processes.wall.PATH", "/nowhere")  # the sandbox's, where it may lie, too
    assert best_level() == "bubblewrap" and out_of_reach() == ""
    with Sandbox() as sandbox:
        child = sandbox.child(QUICK)
        assert child.define("cell", "x = 1") is None
        child.close()


@pytest.mark.skipif(not GCC, reason="no g++ on this machine")
@pytest.mark.parametrize("level", LEVELS)
def test_a_compiler_may_lie_anywhere_with_programs_of_its_own(elsewhere, level):
    """But prlimit may not, since behind the wall only the compiler's folder is seen."""
    (elsewhere / "compilers" / "g++").write_text('#!/bin/sh\nexec own_driver "$@"\n')
    (elsewhere / "compilers" / "g++").chmod(0o755)
    (elsewhere / "compilers" / "own_driver").symlink_to(GCC)
    exercise = exercise_named("scale_vector")
    source = Source(exercise.name, exercise.source, tuple(exercise.builds[0].items()))
    assert compiler.build(source, False, lambda program, folder: around(program, folder, level)).code


def test_libraries_may_lie_elsewhere_than_the_interpreter(tmp_path):
    """As with PYTHONPATH, a .pth file or pip install --user."""
    venv.create(tmp_path / "bare", with_pip=False)
    code = (
        "from autograder.processes.child_link import Limits\n"
        "from autograder.processes.sandbox import Sandbox\n"
        "from autograder.processes.wall import best_level, libraries, out_of_reach\n"
        "assert libraries() and not out_of_reach(), out_of_reach()\n"
        "for level in {best_level(), 'limits'}:\n"
        "    with Sandbox(level) as sandbox:\n"
        "        child = sandbox.child(Limits())\n"
        "        assert child.define('a', 'import numpy, torch; assert torch.ones(2).sum() == 2') is None\n"
    )
    paths = [str(PACKAGES), sysconfig.get_path("purelib"), sysconfig.get_path("platlib")]
    ran = subprocess.run(
        [tmp_path / "bare" / "bin" / "python", "-c", code],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(paths)},
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr


@pytest.mark.parametrize("level", LEVELS)
def test_the_sandbox_has_the_libraries_that_the_grader_has(tmp_path, monkeypatch, level):
    """One that comes first through PYTHONPATH is the one there; one that is found and cannot be imported is named."""
    monkeypatch.setattr("autograder.processes.wall.best_level", lambda: level)
    assert out_of_reach() == ""
    started(level, False).end()
    (tmp_path / "mpmath.py").write_text("__version__ = 'another'\n")
    (tmp_path / "json.py").write_text("raise ImportError('it comes before the one of Python')\n")
    monkeypatch.setattr("autograder.processes.wall.libraries", lambda: (str(tmp_path),))
    with Sandbox(level) as sandbox:
        child = sandbox.child(Limits())
        assert child.define("a", "import json, mpmath; assert mpmath.__version__ == 'another'") is None
        child.close()
    (tmp_path / "ml_dtypes.py").write_text("raise ImportError('libfoo.so: no such file')\n")
    assert out_of_reach() == "the sandbox does not start: ImportError: libfoo.so: no such file"


def test_ctrl_c_in_a_terminal_goes_to_the_grader_alone(sandbox):
    """If it ended the sandbox too, the grader would take that for a failure, and go on with another."""
    assert os.getpgid(sandbox._process.pid) == sandbox._process.pid != os.getpgid(0)


def test_one_that_is_started_ahead_is_the_first_that_is_taken_and_goes_if_none_takes_it():
    """In a process of its own: here PyTorch is imported, and there is nothing to be gained."""
    code = (
        "import sys\n"
        "from autograder.processes import wall\n"
        "wall.start_ahead()\n"
        "assert not {'torch', 'numpy'} & set(sys.modules)\n"
        "(ahead,) = wall._ahead.values()\n"
        "if sys.argv[1] == 'taken':\n"
        "    from autograder.processes.sandbox import Limits, Sandbox\n"
        "    with Sandbox() as sandbox:\n"
        "        assert sandbox._process is ahead.process and not wall._ahead\n"
        "        child = sandbox.child(Limits())\n"
        "        assert child.define('cell', 'x = 1') is None\n"
        "        child.close()\n"
        "print(ahead.process.pid)\n"
    )
    for taken in ("taken", "left"):
        environment = os.environ | {"PYTHONPATH": str(PACKAGES)}
        command = [sys.executable, "-W", "error", "-c", code, taken]
        ran = subprocess.run(command, env=environment, capture_output=True, text=True)
        assert ran.returncode == 0 and ran.stderr == "", ran.stderr
        with pytest.raises(ProcessLookupError):
            os.kill(int(ran.stdout), 0)


def test_no_folder_is_left_half_removed_where_all_is_ended():
    """A thread that meets the end of its interpreter removes its folder while this process is about to leave."""
    code = (
        "import threading, time\n"
        "from autograder.processes import wall\n"
        "begun, done, remove = threading.Event(), [], wall.remove\n"
        "def slowly(folder):\n"
        "    if threading.current_thread() is thread:\n"
        "        begun.set()\n"
        "        time.sleep(0.3)\n"
        "        done.append(folder)\n"
        "    remove(folder)\n"
        "wall.remove = slowly\n"
        "thread = threading.Thread(target=wall.started('limits', False).end, daemon=True)\n"
        "thread.start()\n"
        "begun.wait()\n"
        "wall.end_all()\n"
        "assert done\n"
        "wall._may_start.release()\n"
        "thread.join()\n"
    )
    environment = os.environ | {"PYTHONPATH": str(PACKAGES)}
    ran = subprocess.run([sys.executable, "-W", "error", "-c", code], env=environment, capture_output=True, text=True)
    assert (ran.returncode, ran.stderr) == (0, "")
