"""What a check on a GPU begins ahead, here without one: kernels are compiled for it, and only the launch is missing."""

import contextlib
import os
import tempfile
import time
from pathlib import Path

import numpy as np
import pytest

from autograder.backends import ahead, function_from
from autograder.judging.prepare import PUBLIC_SEED, prepare_compiled
from autograder.processes import helpers
from autograder.processes.portable import closure
from autograder.runner.arrays import BFLOAT16
from autograder.runner.helper.cache import _wait_for_turn
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


def test_what_is_the_same_is_compiled_in_turn_and_all_else_at_once():
    """The first has its turn until it ends, and waits with that for what is another's."""
    (said, says), (held, goes_on) = os.pipe(), os.pipe()
    children = []
    with tempfile.TemporaryFile() as turns:
        for name, what in ((b"1", "same"), (b"2", "same"), (b"3", "other")):
            if (child := os.fork()) == 0:
                try:
                    _wait_for_turn(turns, what)
                    if name == b"1":
                        os.write(says, b"0")
                        os.read(held, 1)
                finally:
                    os.write(says, name)
                    os._exit(0)
            children.append(child)
            if name == b"1":
                assert os.read(said, 1) == b"0", "it has its turn"
        others = os.read(said, 1)
        os.write(goes_on, b".")
        for child in children:
            os.waitpid(child, 0)
    order = others + os.read(said, 2)
    for end in (said, says, held, goes_on):
        os.close(end)
    assert order == b"312"


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


def waited(done, seconds=20):
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
