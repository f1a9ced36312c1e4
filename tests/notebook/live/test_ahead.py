"""What takes long the first time is begun when a lesson that needs it is opened, and waited for where it is needed."""

import contextlib
import threading
from types import SimpleNamespace

import pytest

from autograder.notebook import check, magics
from autograder.notebook.live import ahead
from autograder.spec.catalogue import exercise_named, lesson_named
from simt import compiler
from simt.errors import MissingCompiler
from simt.kernel import Kernel

LESSON = lesson_named("cuda_softmax").stem


@pytest.fixture
def compiling(monkeypatch):
    """Compiling takes until it is let end; what was begun."""
    ended, begun = threading.Event(), []
    monkeypatch.setattr(ahead, "_begun", [])
    monkeypatch.setattr(ahead, "runs_cuda", lambda: False)
    monkeypatch.setattr(compiler, "runtime", lambda: begun.append(1) or ended.wait(30))
    yield ended, begun
    ended.set()
    ahead.wait()


def test_only_a_lesson_in_cuda_begins_it_and_once(compiling):
    ended, begun = compiling
    for lesson in ("", "01_softmax"):
        ahead.begin(lesson)
    assert not begun
    ahead.begin(LESSON)
    ahead.begin(LESSON)
    ended.set()
    ahead.wait()
    assert begun == [1]


def test_a_check_of_cuda_waits_for_it(compiling, monkeypatch):
    ended, _ = compiling
    ahead.begin(LESSON)
    found = []
    monkeypatch.setattr(check, "judge", lambda *_: found.append(ended.is_set()) or SimpleNamespace())
    threading.Timer(0.1, ended.set).start()
    check.verdict_of(exercise_named("block_softmax").function)
    assert found == [True]


def test_where_the_lesson_is_not_known_it_is_begun_when_it_is_needed(compiling):
    ended, begun = compiling
    ahead.begin("")
    assert not ahead.is_at_work()
    ended.set()
    ahead.wait()
    assert begun == [1]


def test_a_kernel_of_ones_own_says_what_it_waits_for(compiling, shell, monkeypatch):
    """As a check does: the first cell of a lesson with a kernel is no exercise."""
    ended, _ = compiling
    ahead.begin(LESSON)
    said = []

    @contextlib.contextmanager
    def waiting(says, line):
        said.append(says(3))
        ended.set()
        ahead.wait()
        said.append(says(4))
        yield

    monkeypatch.setattr(magics, "waiting", waiting)
    monkeypatch.setattr(Kernel, "compile", lambda kernel: said.append("compiled"))
    shell.run_cell('%%cuda mine\nextern "C" __global__ void mine(float* x) { x[0] = 1; }')
    working = f"mine: {ahead.DOING}, 3 s; press I I to stop"
    assert said == [working, "mine: compiling, 4 s; press I I to stop", "compiled"]


def test_where_nothing_can_compile_it_ends_in_silence(monkeypatch, recwarn):
    def missing():
        raise MissingCompiler("none here")

    monkeypatch.setattr(ahead, "_begun", [])
    monkeypatch.setattr(ahead, "runs_cuda", lambda: False)
    monkeypatch.setattr(compiler, "runtime", missing)
    ahead.begin(LESSON)
    ahead.wait()
    assert not recwarn.list
