"""What stands beside an answer, unused, is left out and makes nobody suspect; what is used stays, and is seen."""

import json

import pytest

from autograder.grading.reading.idle import without_idle
from autograder.grading.reading.limited import reader
from autograder.grading.screening import reaches_for
from autograder.judging.limits.operations import asked_of_source
from autograder.spec.catalogue import exercise_named

ANSWER = """import numpy as np
import torch
{above}
def naive_softmax(x):
    return np.exp(x) / np.exp(x).sum(axis=1, keepdims=True)
{below}
"""
IDLE = {
    "warnings": ("import warnings; warnings.filterwarnings('once')", ""),
    "a function of warnings'": ("from warnings import resetwarnings\nresetwarnings()", ""),
    "how arrays are printed": ("np.set_printoptions(precision=3)", ""),
    "a setting of torch's": ("torch.backends.cudnn.benchmark = True", ""),
    "where modules lie": ("import sys\nsys.path.append('..')", ""),
    "an import that nobody uses": ("import json, re  # for later\nfrom tqdm import tqdm", ""),
    "which versions there are": ("print(np.__version__, torch.__version__)", ""),
    "a clock for a helper": (
        "import timeit\nclock = timeit.default_timer",
        "def helper():\n    return clock()",
    ),
    "a test": ("import pytest", "@pytest.mark.parametrize('n', [1, 2])\ndef test_it(n):\n    assert naive_softmax(n)"),
    "a benchmark": (
        "import timeit",
        "@timeit.wrap(\n    1\n)\ndef measure(n):\n    return n\nmeasure(3)\nif __name__ == 'm':\n    measure(4)",
    ),
    "several statements in a line": ("import gc; gc.collect(); widths = [\n    1,\n    2,\n]; gc.enable()", ""),
    "letters of two bytes": ("print('größer', np.__version__); größe = 3", ""),
}
USED = {
    "by the answer": ("import pickle", "def naive_softmax(x):\n    return pickle.loads(x)"),
    "through another name": ("import sys\nframe = sys._getframe", "def naive_softmax(x):\n    return frame()"),
    "by a function that it uses": (
        "import gc\ndef helper(x):\n    return gc.get_objects()",
        "def naive_softmax(x):\n    return helper(x)",
    ),
    "as what is registered": (
        "from functools import singledispatch\n@singledispatch\ndef helper(x):\n    return x\n"
        "@helper.register\ndef _(x: int):\n    return 0",
        "def naive_softmax(x):\n    return helper(x)",
    ),
    "in what it has": ("", "import os\nnaive_softmax.cache = os.environ"),
    "as all of a module": ("from os import *", ""),
}


def with_lines(above: str, below: str) -> str:
    return ANSWER.format(above=above, below=below)


@pytest.mark.parametrize(("above", "below"), IDLE.values(), ids=list(IDLE))
def test_what_no_answer_uses_is_left_out(above, below):
    source = with_lines(above, below)
    assert reaches_for(source, "naive_softmax")
    left, lines = left_of(source)
    assert lines and reaches_for(left, "naive_softmax") is None
    assert left.count("\n") == source.count("\n"), "lines keep their numbers"
    compile(left, "left", "exec")


@pytest.mark.parametrize(("above", "below"), USED.values(), ids=list(USED))
def test_what_an_answer_uses_stays(above, below):
    source = with_lines(above, below)
    assert reaches_for(left_of(source)[0])


def test_other_answers_may_use_it():
    source = with_lines("import json as codec", "")
    assert left_of(source)[0] != source
    assert left_of(source, others={"codec"}) == (source, [])


def left_of(source, answer="naive_softmax", others=()):
    return without_idle(source, "", others, list(map(exercise_named, ("naive_softmax", "safe_softmax"))))[answer]


def test_an_exercises_name_stays_for_that_exercise():
    source = with_lines("import json as safe_softmax", "")
    assert reaches_for(left_of(source, "safe_softmax")[0]) and reaches_for(left_of(source)[0]) is None


ONE_USES = {
    "an import": "import scipy.special\ndef naive_softmax(x):\n    return scipy.special.softmax(x)",
    "a helper": "import ctypes\ndef helper():\n    ctypes.c_int()\ndef naive_softmax(x):\n    helper()",
    "a coroutine": "async def naive_softmax(x):\n    e = np.exp(x)\n    return e",
    "what may be there": "try:\n    from numba import njit\nexcept ImportError:\n    njit = None\n"
    "@njit\ndef naive_softmax(x):\n    return x",
}


@pytest.mark.parametrize("above", ONE_USES.values(), ids=list(ONE_USES))
def test_of_a_file_each_answer_has_what_it_uses_itself(tmp_path, above):
    file = tmp_path / "ada.py"
    file.write_text(f"import numpy as np\n{above}\ndef safe_softmax(x):\n    return np.exp(x - x.max())\n")
    answers = reader().read(file, "ada").answers
    said = {name: reaches_for(answer.source, name) for name, answer in answers.items()}
    assert said["naive_softmax"] and said["safe_softmax"] is None
    assert "\n" not in said["naive_softmax"]


def test_a_submission_says_what_was_left_out(tmp_path):
    file = tmp_path / "ada.py"
    file.write_text(with_lines("import timeit", "def helper():\n    return timeit.timer"))
    submission = reader().read(file, "ada")
    assert "timeit" not in submission.answers["naive_softmax"].source
    assert [note for note in submission.notes if "line 3 (import timeit) and 1 more were left out" in note]


BENCHMARKS = {
    "in cells": "import timeit\nprint(timeit.timeit(lambda: {name}(np.ones((2, 3))), number=3))",
    "if run alone": "if __name__ == '__main__':\n    import timeit\n    print(timeit.timeit(lambda: {name}(x)))",
    "by a helper": "import tracemalloc as tm\ndef peak_of_{name}():\n    tm.start()\n    return tm.get_traced_memory()",
}


@pytest.mark.parametrize("below", BENCHMARKS.values(), ids=list(BENCHMARKS))
def test_each_answer_may_have_a_benchmark(tmp_path, below):
    names = ["naive_softmax", "safe_softmax", "log_sum_exp"]
    for name in names:
        (tmp_path / f"{name}.py").write_text(f"{exercise_named(name).source}\n\n{below.format(name=name)}\n")
    submission = reader().read(tmp_path, "ada")
    told = 0 if "__main__" in below else 3  # what is not run anyway is left out without a word
    assert len([note for note in submission.notes if "left out" in note]) == told
    for name in names:
        assert reaches_for(submission.answers[name].source, name, "import numpy as np") is None


def test_what_another_answer_uses_stays_though_others_have_benchmarks_too(tmp_path):
    (tmp_path / "a.py").write_text(f"{exercise_named('naive_softmax').source}\nimport timeit\ntimeit.timeit('1')\n")
    used = "import timeit\ndef safe_softmax(x):\n    return clock() * x"
    (tmp_path / "b.py").write_text(used)
    (tmp_path / "c.py").write_text(
        f"{exercise_named('log_sum_exp').source}\nimport timeit as t\nclock = t.default_timer\n"
    )
    answers = reader().read(tmp_path, "ada").answers
    assert "import timeit\n" not in answers["naive_softmax"].source
    assert "clock = t.default_timer" in answers["log_sum_exp"].source
    assert reaches_for(answers["log_sum_exp"].source)


DEMOS = {
    "of a forbidden operation": ("naive_attention", "import torch.nn.functional as F\nx = torch.ones(1, 4, 4)\n"
    "print(F.scaled_dot_product_attention(x, x, x))"),
    "that a function calls": ("softmax_backward", "def compare(x):\n    x.requires_grad_()\ncompare(torch.ones(3))"),
    "of what is counted": ("keys_outside", "hbm = Memory(Q=torch.ones(3))\nprint(hbm.load)"),
    "of a function that makes what is counted": ("keys_outside", "print(keys_outside(*torch.ones(3, 4, 8), 2, 2)[0])"),
    "of a notebook": ("naive_attention", "get_ipython().run_line_magic('matplotlib', 'inline')"),
}  # fmt: skip


@pytest.mark.parametrize(("name", "below"), DEMOS.values(), ids=list(DEMOS))
def test_a_demo_below_an_answer_costs_nothing(tmp_path, name, below):
    (tmp_path / f"{name}.py").write_text(f"{exercise_named(name).source}\n\n{below}\n")
    submission = reader().read(tmp_path, "ada")
    source, exercise = submission.answers[name].source, exercise_named(name)
    assert any("left out, since no answer uses or needs" in note for note in submission.notes)
    known = "import torch\nfrom torch import Tensor\nclass Memory:\n    def load(self): pass\n"
    assert reaches_for(source, name, known, watched=exercise.spied) is None
    assert asked_of_source(exercise, source) == []


def test_what_is_forbidden_and_used_stays(tmp_path):
    (tmp_path / "a.py").write_text("from torch.nn.functional import softmax as f\ndef safe_softmax(x): return f(x)\n")
    source = reader().read(tmp_path, "ada").answers["safe_softmax"].source
    assert "import softmax as f" in source


def test_a_notebook_says_in_which_cell(tmp_path):
    source = "import timeit\n" + exercise_named("naive_softmax").source
    cell: dict[str, object] = {
        "cell_type": "code",
        "execution_count": None,
        "metadata": {},
        "outputs": [],
        "source": source,
    }
    folder = tmp_path / "ada"
    folder.mkdir()
    book = {"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 4}
    (folder / "01_softmax.ipynb").write_text(json.dumps(book))
    submission = reader().read(folder, "ada")
    assert any("the cell of naive_softmax in 01_softmax.ipynb: line 1" in note for note in submission.notes)
