"""A process for the course's own code serves one answer after another, and is replaced when it has died."""

import numpy as np
import pytest

from autograder.processes import helpers
from autograder.spec import interpreter

pytestmark = pytest.mark.skipif(not interpreter.has_triton(), reason="Triton is not installed on this machine")


@pytest.fixture(autouse=True)
def let_go():
    yield
    helpers.let_go()


def asked(code):
    """What a function of this code returns, in the process that is kept; None where it died of it."""
    cells = [("answer", f"import os\nimport numpy as np\ndef answer(x):\n    return x + {code}")]
    seen = helpers.ask_own(cells, lambda process: process.call("answer", {"x": np.zeros(1)}, "numpy", once=True))
    return seen and seen.outputs and seen.outputs[0][0]


def test_the_next_answer_is_defined_in_the_same_process():
    process = asked("os.getpid()")
    assert asked("os.getpid()") == process
    assert asked("2 * os.getpid()") == 2 * process


def test_a_process_that_has_died_is_replaced_and_none_is_left():
    process = asked("os.getpid()")
    assert asked("os._exit(1)") is None
    another = asked("os.getpid()")
    assert another != process
    helpers.let_go()
    assert asked("os.getpid()") != another
