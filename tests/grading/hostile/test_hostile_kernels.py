"""The grader against hostile answers with Triton kernels, and NVIDIA's assembler against hostile PTX."""

import json
import subprocess

import pytest

from autograder.spec import interpreter

interpreter.choose()
pytest.importorskip("triton", reason="Triton is not installed on this machine")

from autograder.backends.assembly import Unfinished, assembled_all  # noqa: E402
from autograder.grading.grade import grade_submission  # noqa: E402
from autograder.grading.reading.files import Files  # noqa: E402
from autograder.grading.reading.submission import read_answers  # noqa: E402
from autograder.processes import helpers  # noqa: E402
from autograder.runner.translate import Translated  # noqa: E402
from tests.grading.hostile.kernels import TABLE  # noqa: E402
from tests.grading.hostile.limits import limits_for  # noqa: E402
from tests.walls import LEVELS, attempts, behind  # noqa: E402

# Whole systems, in which coverage would take as long again; tests of their parts cover them.
pytestmark = pytest.mark.no_cover

ATTEMPTS = attempts(TABLE, but=[hostile for hostile in TABLE if not hostile.everywhere])


@pytest.fixture(scope="module")
def level(request):
    with behind(request.param) as level:
        yield level


@pytest.mark.parametrize(("level", "hostile"), ATTEMPTS, indirect=["level"], scope="module")
def test_every_answer_gets_the_honest_score_and_is_told_why(level, hostile, monkeypatch):
    monkeypatch.setitem(helpers.SECONDS, "compiles", hostile.seconds)
    monkeypatch.setattr("autograder.backends.assembly.SECONDS_OF_PROCESSOR", hostile.of_processor)
    submission = read_answers(Files("somebody", (("mine.py", hostile.source.encode()),)))
    limits = limits_for(hostile.outcome[0])
    (result,) = grade_submission(submission, [hostile.exercise], "a seed", limits, level)["exercises"]
    said = json.dumps(result, allow_nan=False)
    assert (result["status"], result["points"]) == hostile.outcome, said
    assert hostile.said in said and " at 0x" not in said, said


PTX = ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k()\n{ %s }\n"


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(
    ("ptx", "said"),
    [
        ("", "kernel.ptx, line 1; fatal"),
        ("\ufffd\0" * 1000, "non-ASCII"),
        (PTX % ("bad;" * 100_000), "Not a name of any known instruction"),
        (PTX.replace("sm_80", "sm_999"), "sm_999"),
    ],
)
def test_an_assembler_given_garbage_says_so(level, ptx, said):
    (compiled,) = assembled_all([Translated("k", "sm_80", ptx)], level)
    failure = compiled.failure
    assert failure and said in failure.message and "tilewise" not in failure.message


def test_no_number_of_kernels_keeps_the_assembler_busy_for_long(monkeypatch):
    assert not assembled_all([Translated("k", "sm_80", PTX % "ret;")])[0].failure
    monkeypatch.setattr("autograder.backends.assembly.SECONDS_TO_ASSEMBLE", -1)
    with pytest.raises(Unfinished, match="ptxas did not finish"):
        assembled_all([Translated("k", "sm_80", PTX % "ret;")])


def long_kernel(instructions):
    many = "".join(f"mad.lo.s32 %r{i % 90}, %r{i % 89}, %r{i % 83}, {i};" for i in range(instructions))
    return Translated("k", "sm_80", PTX % f".reg .b32 %r<90>; {many} ret;")


@pytest.mark.parametrize("level", [None, *LEVELS])
def test_a_kernel_that_takes_too_much_of_a_processor_is_refused(level, monkeypatch):
    monkeypatch.setattr("autograder.backends.assembly.SECONDS_OF_PROCESSOR", 0)
    (compiled,) = assembled_all([long_kernel(200_000)], level)
    assert compiled.failure and "keep NVIDIA's assembler busy" in compiled.failure.message


@pytest.mark.parametrize("level", [None, *LEVELS])
def test_kernels_that_take_too_much_of_a_processor_together_are_refused(level, monkeypatch):
    monkeypatch.setattr("autograder.backends.assembly.SECONDS_OF_PROCESSOR", 1)
    kernels = [long_kernel(20_000 + i) for i in range(12)]
    assert not assembled_all(kernels[:1], level)[0].failure
    refused = [compiled.failure for compiled in assembled_all(kernels, level)]
    assert refused[-1] and "keep NVIDIA's assembler busy" in refused[-1].message


def test_a_kernel_that_the_assembler_does_not_finish_is_not_refused(monkeypatch):
    def slow(command, timeout, **rest):
        raise subprocess.TimeoutExpired(command, timeout)

    monkeypatch.setattr("autograder.backends.assembly.subprocess.run", slow)
    kernel = Translated("k", "sm_80", PTX % "bar.sync 0; ret;")
    with pytest.raises(Unfinished, match="ptxas did not finish"):
        assembled_all([kernel])
    monkeypatch.undo()
    assert not assembled_all([kernel])[0].failure, "the next time it may finish"
