"""Loose .py files: the lesson's setup, and the course's earlier functions for those that a file lacks."""

import pytest

from autograder.grading.grade import grade_submission
from autograder.grading.reading.files import Files
from autograder.grading.reading.submission import read_answers
from autograder.grading.reading.surroundings import lent_to
from autograder.processes.child_link import Limits
from autograder.spec.catalogue import exercises, lesson_of
from autograder.spec.folders import KERNELS

LIMITS = Limits(seconds=5.0)


def graded(name, text, limits=LIMITS):
    submission = read_answers(Files("ada", (("a.py", text.encode()),)))
    return grade_submission(submission, [name], "a seed", limits)["exercises"][0]


def source(name):
    return exercises()[name].source


def test_a_loose_file_has_the_lesson_s_imports():
    assert graded("safe_softmax", source("safe_softmax"))["status"] == "pass"


@pytest.mark.parametrize(
    ("name", "lent"),
    [
        ("tree_softmax", ["merge_stats"]),
        ("attention_by_blocks", ["attention_block", "merge_blocks"]),
        ("PagedCache", ["BlockAllocator"]),
        ("PrefixCache", ["BlockAllocator", "PagedCache"]),
    ],
)
def test_what_a_file_lacks_is_lent(name, lent):
    answers = read_answers(Files("ada", (("a.py", source(name).encode()),))).answers
    assert lent_to(name, answers) == lent
    result = graded(name, source(name))
    assert result["status"] == "pass" and all(other in result["note"] for other in lent)


def test_what_is_handed_in_is_not_lent():
    text = source("merge_stats").replace("np.maximum(m1, m2)", "m1") + "\n\n" + source("tree_softmax")
    result = graded("tree_softmax", text)
    assert result["status"] != "pass" and "not handed in" not in result["note"]


def test_a_notebook_saved_as_a_script_is_read_cell_by_cell():
    """It calls IPython, and the checks, which stand in cells of their own."""
    shell = "get_ipython().run_line_magic('load_ext', 'autograder')"
    cells = [shell, source("safe_softmax"), "check(safe_softmax)", exercises()["log_sum_exp"].starter]
    text = "#!/usr/bin/env python\n# coding: utf-8\n\n# # Softmax\n" + "".join(
        f"\n# In[{number or ' '}]:\n\n\n{cell}\n\n\n# ## And on\n# \n# it goes.\n" for number, cell in enumerate(cells)
    )
    made = read_answers(Files("ada", (("a.py", text.encode()),)))
    assert set(made.answers) == {"safe_softmax"} and made.untouched == ("log_sum_exp",) and not made.notes
    assert graded("safe_softmax", text)["status"] == "pass"


@pytest.mark.parametrize(
    ("shell", "cuda"),
    [
        ("# %load_ext autograder", "# %%cuda scale_vector\n{}"),  # as jupytext saves them
        ("#!%load_ext autograder", "#!%%cuda scale_vector\n{}"),
        ("get_ipython().run_line_magic('load_ext', 'autograder')", "get_ipython().run_cell_magic({!r}, {!r}, {!r})"),
    ],
)
def test_a_script_with_percent_signs_is_read_cell_by_cell_if_it_is_a_lesson(shell, cuda):
    kernel = exercises()["scale_vector"].cell(with_solution=True).removeprefix("%%cuda scale_vector\n")
    cell = cuda.format("cuda", "scale_vector", kernel) if "{!r}" in cuda else cuda.format(kernel)
    cells = [shell, source("safe_softmax"), "check(safe_softmax)", cell, "check(scale_vector)"]
    prose = "# %% [markdown]\n# def naive_softmax(x):\ndef naive_softmax(x):\n    return x\n\n"
    text = prose + "".join(f"# %% tags=[]\n{cell}\n\n{prose}" for cell in cells)
    made = read_answers(Files("ada", (("a.py", text.encode()),)))
    assert set(made.answers) == {"safe_softmax", "scale_vector"} and not made.notes
    assert made.answers["safe_softmax"].source == source("safe_softmax").strip()
    assert made.answers["scale_vector"].source.split("\n", 1)[1].strip() == kernel.strip()


def test_a_file_that_is_only_divided_into_cells_is_whole():
    text = "# %%\ndef ex(x):\n    return np.exp(x)\n\n# %%\n" + source("safe_softmax").replace("np.exp", "ex")
    assert graded("safe_softmax", text)["status"] == "pass"


@pytest.mark.parametrize(
    "call", ["'cuda', 'scale_vector'", "1 +", "(" * 9000, "'a', 'b', 'c', 'd'", "x, y, z", "1, 2, 3"]
)
def test_a_magic_that_no_notebook_has_written_fells_nothing(call):
    text = f"%load_ext autograder\n# %%\nget_ipython().run_cell_magic({call})\n# %%\n{source('safe_softmax')}"
    assert set(read_answers(Files("ada", (("a.py", text.encode()),))).answers) == {"safe_softmax"}


def test_what_only_ipython_understands_costs_nothing():
    around = ["%matplotlib inline", "!ls", "?np.exp", "np.exp?", "np.ex*??", "    %time"]
    cell = "\n".join([*around[:3], source("safe_softmax"), *around[3:]])
    with pytest.raises(SyntaxError):
        compile(cell, "cell", "exec")
    answer = read_answers(Files("ada", (("a.py", cell.encode()),))).answers["safe_softmax"].source
    assert answer.count("\n") == cell.count("\n") and source("safe_softmax") in answer
    assert graded("safe_softmax", cell.removesuffix("\n    %time"))["status"] == "pass"


def test_no_later_function_is_lent():
    head = "def naive_attention(q, k, v, causal=False, scale=None):"
    result = graded("naive_attention", f"{head}\n    return lazy_attention(q, k, v, 4, 4, causal, scale)")
    assert result["points"] == 0 and "lazy_attention" in result["cases"][0]["message"]


def test_a_failed_case_has_its_line():
    result = graded("safe_softmax", "def safe_softmax(x):\n    y = x\n    return y + None\n")
    assert (result["cases"][0]["line"], result["cases"][0]["text"]) == (3, "return y + None")


def test_a_file_with_the_whole_lesson_is_judged_for_each_exercise_by_what_that_one_uses():
    lesson = (KERNELS / "gqa.py").read_text()  # grouped_attention takes a softmax, which packed_attention must not
    assert graded("packed_attention", lesson)["status"] == "pass"
    here = "    batch, heads, n_q, d = q.shape\n    kv_heads, n_k"
    assert lesson.count(here) == 1
    result = graded("packed_attention", lesson.replace(here, "    grouped_attention\n" + here))
    assert result["points"] == 0 and "calls softmax" in result["over_budget"][0]["message"]


def test_what_another_function_of_the_file_calls_is_not_called_by_the_answer():
    merges = "\n\ndef other(s, t):\n    return merge_stats(s, t)\n"
    sums = "def tree_softmax(x, tile=4):\n    e = np.exp(x - x.max())\n    return e / e.sum()\n"
    result = graded("tree_softmax", sums + merges + source("merge_stats"))
    assert any("never calls merge_stats" in over["message"] for over in result["over_budget"])


def test_a_file_of_another_lesson_is_named():
    files = (("answer.py", source("safe_softmax").encode()), ("other.py", source("naive_attention").encode()))
    result = grade_submission(read_answers(Files("ada", files)), ["safe_softmax"], "a seed", LIMITS)
    stem = lesson_of(exercises()["naive_attention"]).stem
    assert result["submission"]["notes"] == [f"other.py answers exercises of {stem}, which are not graded here"]
    assert result["points"] == 2


@pytest.mark.parametrize(
    ("name", "text", "status", "text_of_line"),
    [
        (
            "tree_softmax",
            "def tree_softmax(x, tile):\n    y = (x,)\n    return merge_stats(y, y)\n",
            "error",
            "return m",
        ),
        (
            "safe_softmax",
            "def most(x):\n    return 1 / 0\ndef safe_softmax(x):\n    return most(x)\n",
            "error",
            "return 1",
        ),
        ("safe_softmax", "def safe_softmax(x):\n    while True:\n        x = x + 0\n", "timeout", ("while", "x = x")),
    ],
)
def test_the_line_that_is_named_is_in_the_file_and_not_in_what_it_is_lent(name, text, status, text_of_line):
    first = graded(name, text, Limits(seconds=1.0))["cases"][0]
    assert first["status"] == status and first["text"].startswith(text_of_line), first


def test_a_step_of_an_object_that_does_not_end_is_named():
    text = "class BlockAllocator:\n    def __init__(self, n):\n        while True:\n            pass\n"
    anything = text.replace("__init__(self, n)", "__init__(self, *_, **__)")
    first = graded("BlockAllocator", anything, Limits(seconds=3.0))  # a loaded machine has begun the step by then
    assert first["cases"][0]["status"] == "timeout" and first["cases"][0]["text"] in ("while True:", "pass")


def test_what_is_begun_and_not_written_is_said():
    text = "def safe_softmax(x):\n    y = x - x.max()\n    raise NotImplementedError\n"
    result = graded("safe_softmax", text)
    assert result["status"] == "not_attempted" and result["note"].startswith("A part of safe_softmax is not written")


def test_a_part_left_out_for_some_inputs_is_no_function_of_somebody_else_s():
    first = "    m = np.maximum(m1, m2)\n"
    hole = "    if m1.ndim == 2:\n        raise NotImplementedError\n"
    text = source("merge_stats").replace(first, hole + first)
    messages = [case["message"] for case in graded("merge_stats", text)["cases"]]
    assert any("a part of it is not written yet" in message for message in messages)
