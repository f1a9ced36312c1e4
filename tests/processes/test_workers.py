"""One function on many tasks: their order, and what becomes of a process that ends over one."""

import math
import os
import signal

import pytest

from autograder.processes.workers import in_order
from autograder.spec.user_error import UserError


def test_results_come_in_the_order_of_the_tasks_and_as_many_of_them():
    tasks = [30_000, 3, 2, 1, 0, 2, 3]  # the first takes longest
    assert list(in_order(math.factorial, tasks, list(map(str, tasks)))) == list(map(math.factorial, tasks))
    assert list(in_order(math.factorial, [], [])) == []


@pytest.mark.parametrize(("function", "task", "how"), [
    (signal.raise_signal, signal.SIGKILL, "was killed by SIGKILL"),  # as where memory runs out
    (os._exit, 0, "ended with status 0"),
    (math.sqrt, "a word", "ended with status 1"),  # by an exception
])  # fmt: skip
def test_a_process_that_ends_over_a_task_is_one_sentence_with_its_name(function, task, how):
    with pytest.raises(UserError, match=f"^the process at 02_topic \\(its files\\) {how}; mend that"):
        list(in_order(function, [task], ["02_topic (its files)"]))
