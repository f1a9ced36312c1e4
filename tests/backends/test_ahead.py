"""What a check on a GPU begins ahead, here without one: kernels are compiled for it, and only the launch is missing."""

import contextlib
import os
import time
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from autograder.backends import ahead, function_from
from autograder.judging.prepare import PUBLIC_SEED, prepare_compiled
from autograder.processes import helpers
from autograder.processes.portable import closure
from autograder.runner.arrays import BFLOAT16
from autograder.runner.helper import cache as ahead_of_time
from autograder.runner.translate import TARGETS
from autograder.spec import interpreter
from autograder.spec.catalogue import exercise_named

pytestmark = pytest.mark.skipif(not interpreter.has_triton(), reason="Triton is not installed on this machine")


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    """Triton's, for processes that are started anew."""
    folder = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TRITON_CACHE_DIR", str(folder))
        patch.setattr(ahead, "capability", lambda: 90)
        helpers.stop()
        yield folder
    helpers.stop()


def compiled(cache):
    return len(list(cache.glob("*/vector_add_kernel.cubin")))


def case(n, dtype=np.float32):
    x = np.arange(n).astype(dtype)
    return {"x": x, "y": x, "tile": 64}


def test_each_version_of_a_kernel_is_compiled_once_and_found_when_it_is_needed(cache):
    """Of these cases the second needs the version of the first, and the third one for a length that 16 divides."""
    exercise = exercise_named("vector_add")
    function = function_from(exercise, exercise.source, "compiled ahead")
    with ahead.Ahead(function) as begun:
        begun.begin([case(100), case(101), case(96)], None)
        for number, versions in enumerate((1, 1, 2)):
            begun._wait_for_kernels(number)
            assert compiled(cache) >= versions
        assert all(look.result().outputs for look in begun.looks)
    assert compiled(cache) == 2


def test_of_as_many_as_there_are_cores_the_heaviest_is_begun_first(monkeypatch):
    """So a slow one is not begun last, when all others are done, and an early one waits for few."""
    monkeypatch.setattr(ahead_of_time, "CORES", 2)
    monkeypatch.setattr(ahead_of_time.Filling, "_launch_of", lambda self, source: None)
    (begun, begins), (held, lets_go) = os.pipe(), os.pipe()
    filling = ahead_of_time.Filling(90)

    def work(tile):
        src = SimpleNamespace(constants={"TILE": tile, "CAUSAL": True}, signature={"q": "*fp16"})
        return lambda: os.write(begins, b"%d" % src.constants["TILE"])

    for _ in range(2):
        filling.submit(partial(os.read, held, 1))  # which closes over nothing
    for tile in (6, 2, 5, 3, 9):
        filling.submit(work(tile))
    os.write(lets_go, b".")  # one goes on, and all others come after it, one by one
    while filling.waiting or len(filling.running) > 1:
        filling._reap(0)
        filling._start()
    assert os.read(begun, 9) == b"65392"
    os.write(lets_go, b".")
    filling.needed = [2]
    filling.finish(0)
    assert not filling.running
    for end in (begun, begins, held, lets_go):
        os.close(end)


def test_bfloat16_is_compiled_and_not_interpreted(cache):
    exercise = exercise_named("vector_add")
    before = compiled(cache)
    with ahead.Ahead(function_from(exercise, exercise.source, "in bfloat16")) as begun:
        begun.begin([case(100, BFLOAT16)], None)
        begun._wait_for_kernels(0)
        assert begun.looks[0].result() is None
    assert compiled(cache) == before + 1


def test_a_kernel_that_no_compiler_takes_leaves_the_check_to_say_so(cache):
    exercise = exercise_named("vector_add")
    text = exercise.source.replace("    mask = offsets < n\n", "    mask = offsets < n\n    tl.no_such_thing(n)\n")
    with ahead.Ahead(function_from(exercise, text, "refused")) as begun:
        begun.begin([case(100)], prepare_compiled("vector_add", PUBLIC_SEED))
        begun._wait_for_kernels(0)
        assert "no_such_thing" in begun.looks[0].result().failure.message
        assert [report.target for report in begun.compiled() if report.failure] == list(TARGETS)


def test_what_is_compiled_for_a_report_alone_lies_where_no_launch_looks_for_it(cache):
    """Triton 3.6 takes it for the kernel, and a GPU refuses it: it has no code."""
    exercise = exercise_named("vector_add")
    with ahead.Ahead(function_from(exercise, exercise.source, "reported")) as begun:
        begun.begin([], prepare_compiled("vector_add", PUBLIC_SEED))
        assert len(begun.compiled()) == len(TARGETS)
    empty = [kept for kept in cache.rglob("*.cubin") if not kept.stat().st_size]
    assert len(empty) >= len(TARGETS) and all(kept.is_relative_to(cache / "ptx") for kept in empty)


def test_what_is_begun_and_not_needed_ends_with_the_check(cache):
    """In the launcher is a loop without end, with which the processes are busy."""
    exercise = exercise_named("vector_add")
    text = exercise.source.replace("    n = x.numel()\n", "    n = x.numel()\n    while n:\n        pass\n")
    assert text != exercise.source
    with ahead.Ahead(function_from(exercise, text, "endless")) as begun:
        begun.begin([case(100), case(200)], None)
        waited(lambda: forks_of("interprets") and forks_of("compiles"))
    waited(lambda: not forks_of("interprets") and not forks_of("compiles"))


def waited(done, seconds=60):
    deadline = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def forks_of(does):
    root = helpers._helper(does).process.pid
    return Path(f"/proc/{root}/task/{root}/children").read_text().split()


def test_a_process_forked_knows_nothing_of_the_one_before():
    cells = closure(exercise_named("vector_add").function)
    first, second = helpers.forked("interprets", cells), helpers.forked("interprets")
    assert first and second
    with contextlib.closing(first), contextlib.closing(second):
        assert first.define("left", "left = 1") is None
        failure = second.define("use", "left")
    assert failure and failure.kind == "NameError"
