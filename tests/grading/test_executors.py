"""Executors of an instructor's own that quit, lie, break or never answer: it costs nobody anything, and is said."""

import json
import sys
import time
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

import pytest

from autograder.grading.classroom import grade_class
from autograder.grading.executors import ROUNDS, Lost, Workers, made_by, maker_of_executors
from autograder.grading.grade import grade_submission
from autograder.grading.reading.files import Files
from autograder.grading.reading.submission import read_answers
from autograder.processes.child_link import Limits
from autograder.spec.user_error import UserError
from tests.grading.dying import dies

NAMES = ["naive_softmax", "log_sum_exp"]
NOTHING = [read_answers(Files(student, ())) for student in ("ada", "bob")]  # is graded in no time
HONEST = {given.student: grade_submission(given, NAMES, "s") for given in NOTHING}


class Answering(Executor):
    """Gives, at once and in the calling thread, what `answer` makes of a call."""

    def __init__(self, answer: Callable[..., Any]):
        self.answer, self.asked = answer, 0

    def submit(self, function, /, *arguments, **named):
        self.asked += 1
        future: Future[Any] = Future()
        try:
            future.set_result(self.answer(function, *arguments, **named))
        except BaseException as error:
            future.set_exception(error)
        return future


def outcomes(workers, calls, patience=60.0, accept=lambda number, result: result):
    return dict(workers.outcomes(calls, patience, accept))


# A pool of processes of which workers die


def pools(made):
    def make():
        made.append(ProcessPoolExecutor(2, mp_context=get_context("forkserver")))
        return made[-1]

    return make


@pytest.mark.parametrize("deadly", [{0}, {3, 4}, {0, 1, 7}])
def test_one_who_kills_a_worker_takes_nobody_along(deadly):
    made: list[Executor] = []
    make = pools(made)
    workers = Workers(make(), make)
    found = outcomes(workers, [(dies, i, deadly) for i in range(8)])
    workers.close()
    assert {i for i, outcome in found.items() if isinstance(outcome, Lost)} == deadly and len(found) == 8
    assert all(found[i] == i for i in found.keys() - deadly)
    for i in deadly:
        assert "ProcessPoolExecutor broke (BrokenProcessPool: " in str(found[i]) and "memory" in str(found[i])


def breaks(*call):
    raise BrokenExecutor("no worker starts")


def test_where_every_pool_breaks_few_are_made():
    made: list[Executor] = []

    def make():
        made.append(Answering(breaks))
        return made[-1]

    found = outcomes(Workers(make(), make), [(dies, i, ()) for i in range(300)])
    assert len(found) == 300 and all("no worker starts" in str(lost) for lost in found.values())
    assert len(made) < 20


def test_an_executor_that_takes_no_more_work_is_made_anew():
    """As one whose connection has been closed meanwhile."""

    class Closed(Answering):
        def submit(self, function, /, *arguments, **named):
            if self.asked == 2:
                raise RuntimeError("cannot schedule new futures after shutdown")
            return super().submit(function, *arguments, **named)

    made: list[Answering] = []

    def make():
        made.append(Closed(lambda function, *rest: function(*rest)))
        return made[-1]

    found = outcomes(Workers(make(), make), [(dies, i, ()) for i in range(5)])
    assert found == {i: i for i in range(5)} and len(made) == 3


def test_where_no_other_can_be_made_the_first_one_says_why():
    def fails():
        raise UserError("no more machines")

    found = outcomes(Workers(Answering(breaks), fails), [(dies, i, ()) for i in range(3)])
    assert len(found) == 3 and all("no worker starts" in str(lost) for lost in found.values())


# One that quits, or gives something else than is asked for


def quits(*call):
    sys.exit(0)


def interrupts(*call):
    raise KeyboardInterrupt


def lacks_the_course(*call):
    raise ModuleNotFoundError("No module named 'autograder'")


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (quits, "the worker was lost (SystemExit: 0)"),
        (interrupts, "the worker was lost (KeyboardInterrupt)"),
        (lacks_the_course, "No module named 'autograder'); install this one there"),
    ],
)
def test_what_ends_a_worker_does_not_end_the_run(answer, says):
    executor = Answering(answer)
    (lost,) = outcomes(Workers(executor), [(dies, 0, ())]).values()
    assert isinstance(lost, Lost) and says in str(lost) and executor.asked == ROUNDS


@pytest.mark.parametrize("given", [None, 3, "a future"])
def test_what_is_no_future_is_said_to_be_none(given):
    class Other(Answering):
        def submit(self, function, /, *arguments, **named):
            return given

    (lost,) = outcomes(Workers(Other(quits)), [(dies, 0, ())]).values()
    assert f"gave a {type(given).__name__}, not a concurrent.futures.Future" in str(lost)


def test_submit_that_quits_does_not_end_the_run():
    class Quits(Answering):
        def submit(self, function, /, *arguments, **named):
            sys.exit("I have enough")

    (lost,) = outcomes(Workers(Quits(quits)), [(dies, 0, ())]).values()
    assert "the Quits did not take it (SystemExit: I have enough)" in str(lost)


def test_one_future_for_all_is_the_result_of_one(tmp_path):
    """The others' are told by their names."""
    future: Future[Any] = Future()
    future.set_result(HONEST["ada"])

    class One(Answering):
        def submit(self, function, /, *arguments, **named):
            return future

    assert graded_by(One(quits), tmp_path)["bob"].startswith("what the executor gave is no result of this submission")


def graded_by(executor, out):
    """What is said of each student's first exercise; of what is graded its status."""
    results = grade_class(NOTHING, NAMES, "s", out, Workers(executor), Limits())
    return {r["student"]: r["exercises"][0]["note"] or r["exercises"][0]["status"] for r in results}


def lied(change):
    result = json.loads(json.dumps(HONEST["ada"]))
    return change(result) or result


LIES: dict[str, tuple[Callable[[dict[str, Any]], Any], str]] = {
    "a sentence": (lambda r: "all of them are right", "it has not the form of one"),
    "nothing": (lambda r: [None], "it has not the form of one"),
    "only what was graded by": (lambda r: {"course": r["course"]}, "it has not the form of one"),
    "a case without a name": (lambda r: r["exercises"][0].update(cases=[{}]), "it has not the form of one"),
    "more than there is": (
        lambda r: r["exercises"][0].update(status="pass", points=1e6),
        "cannot be pass with 1000",
    ),
    "less than nothing": (lambda r: r["exercises"][0].update(status="fail", points=-1), "cannot be fail with -1 of"),
    "points for nothing": (lambda r: r["exercises"][0].update(points=1), "cannot be not_attempted with 1 of"),
    "no number": (lambda r: r["exercises"][0].update(status="pass", points=float("nan")), "it cannot be written"),
    "another sum": (lambda r: r.update(points=1), "its points are not the sum of its exercises'"),
    "a status that is none": (lambda r: r["exercises"][0].update(status="excused"), "cannot be excused"),
    "somebody else's": (lambda r: HONEST["bob"], "its student should be another"),
    "of another submission": (lambda r: r["submission"].update(hash="0" * 64), "its hash should be another"),
    "with another seed": (lambda r: r.update(seed_id="0" * 12), "its seed_id should be another"),
    "of another class": (lambda r: r["exercises"].reverse(), "its exercises should be another"),
    "of another course": (lambda r: r["course"].update(fingerprint="0" * 12), "fingerprint 000000000000, this one"),
    "names of two kinds": (lambda r: r["exercises"][0]["measurements"].update({1: 1, "x": 1}), "it cannot be written"),
    "what no file holds": (lambda r: r["exercises"][0]["measurements"].update(x={1}), "it cannot be written"),
}


@pytest.mark.parametrize("lie", LIES)
def test_who_lies_grades_nobody(tmp_path, lie):
    change, says = LIES[lie]

    def answer(function, submission, *rest):
        return lied(change) if submission.student == "ada" else function(submission, *rest)

    said = graded_by(Answering(answer), tmp_path)
    assert says in said["ada"] and said["bob"] == "not_attempted"
    assert graded_by(Answering(lambda function, *call: function(*call)), tmp_path)["ada"] == "not_attempted"


def test_who_grades_without_the_sandbox_that_is_asked_for_grades_nobody(tmp_path):
    def answer(function, *call):
        return {**HONEST["ada"], "sandbox": "limits"}

    (result,) = grade_class(NOTHING[:1], NAMES, "s", tmp_path, Workers(Answering(answer)), Limits(), "bubblewrap")
    assert "its sandbox should be another" in result["exercises"][0]["note"]


# One that is slow, or has nothing to say


def test_what_is_done_is_heard_of_while_the_rest_is_handed_out():
    """Else what an executor without workers has graded is lost where it is interrupted."""
    heard: list[int] = []

    def answer(function, number, deadly):
        if number == 2:
            assert heard == [0, 1]
        return number

    for i, _ in Workers(Answering(answer)).outcomes([(dies, i, ()) for i in range(3)], 60.0, lambda i, result: result):
        heard.append(i)
    assert heard == [0, 1, 2]


def test_what_one_worker_never_answers_costs_the_others_nothing():
    class Deaf(Answering):
        def submit(self, function, /, *arguments, **named):
            return Future() if arguments[0] == 1 else super().submit(function, *arguments, **named)

    begun = time.monotonic()
    found = outcomes(Workers(Deaf(lambda function, *call: function(*call))), [(dies, i, ()) for i in range(3)], 0.05)
    assert (found[0], found[2]) == (0, 2) and "the Deaf gave no answer for" in str(found[1])
    assert time.monotonic() - begun < 10


def test_what_goes_wrong_when_it_is_closed_costs_nothing():
    class Clinging(Answering):
        def shutdown(self, wait=True, *, cancel_futures=False):
            raise OSError("the connection is gone")

    workers = Workers(Clinging(lambda function, *call: function(*call)))
    workers.close()
    assert outcomes(workers, [(dies, 0, ())]) == {0: 0}


def test_a_module_that_quits_is_one_sentence(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "quitting.py").write_text("import sys\nsys.exit(0)\n")
    (tmp_path / "later.py").write_text("import sys\ndef workers(jobs):\n    sys.exit(0)\n")
    with pytest.raises(UserError, match=r"--executor quitting:f failed \(SystemExit: 0\); give local"):
        maker_of_executors("quitting:f")
    with pytest.raises(UserError, match=r"--executor later:workers failed \(SystemExit: 0\); give local"):
        made_by(maker_of_executors("later:workers"), "later:workers", 2)
