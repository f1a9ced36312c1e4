"""Whose cell is whose: finding the answers in a notebook that a student has had for a week."""

import json

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from autograder.spec import notebook
from autograder.spec.notebook import answers, graft, question_cells, read, setup_source

STARTERS = {
    "f": "def f(x):\n    # TODO: write this part\n    raise NotImplementedError",
    "g": "def g(x):\n    raise NotImplementedError",
}


def is_starter(name, cell):
    return cell.strip() == STARTERS[name].strip()


def solve(name, source, **metadata):
    return new_code_cell(source, metadata={"nbgrader": {"grade_id": f"solve-{name}", "solution": True}, **metadata})


def found(*cells):
    return answers(new_notebook(cells=list(cells)), STARTERS, is_starter)


def test_answers_are_found_by_their_id():
    assert found(solve("f", "def f(x):\n    return 1"), solve("g", STARTERS["g"]))["f"] == "def f(x):\n    return 1"


def test_a_duplicated_cell_counts_once_and_the_touched_one_wins():
    mine = "def f(x):\n    return 1"
    assert found(solve("f", mine), solve("f", STARTERS["f"]))["f"] == mine
    assert found(solve("f", STARTERS["f"]), solve("f", mine))["f"] == mine
    assert found(solve("f", mine), solve("f", "def f(x):\n    return 2"))["f"].endswith("2")


@pytest.mark.parametrize(
    "metadata", [{}, {"nbgrader": None}, {"nbgrader": {"grade_id": 3}}, {"nbgrader": {"grade_id": "solve-zzz"}}]
)
def test_with_its_id_lost_an_answer_is_found_by_what_it_defines(metadata):
    mine = "# helper\ndef f(x):\n    return ("  # not even valid Python
    assert found(new_code_cell(mine, metadata=metadata))["f"] == mine


def test_an_id_that_was_moved_to_another_answer_does_not_hide_the_right_one():
    cells = solve("f", "def g(x):\n    return 2"), solve("g", "def f(x):\n    return 1")
    assert found(*cells) == {"f": "def f(x):\n    return 1", "g": "def g(x):\n    return 2"}


def test_methods_and_mentions_are_no_definitions():
    assert (
        found(
            new_code_cell("class A:\n    def f(self): pass"),
            new_code_cell("print('def f(x)')"),
            new_markdown_cell("def f(x)"),
        )
        == {}
    )


def test_graft_replaces_answers_and_numbers_and_nothing_else():
    released = new_notebook(cells=[
        new_code_cell("import numpy", metadata={"tags": ["setup"]}),
        solve("f", STARTERS["f"]),
        new_code_cell("check(f)", metadata={"nbgrader": {"grade_id": "check-f"}}),
        new_code_cell("check_answer('q', None)", metadata={"tilewise": {"question": "q"}}),
    ])  # fmt: skip
    grafted = graft(released, {"f": "def f(x):\n    return 1", "h": "never"}, {"q": "check_answer('q', 7)"})
    assert [c.source for c in grafted.cells] == [
        "import numpy",
        "def f(x):\n    return 1",
        "check(f)",
        "check_answer('q', 7)",
    ]
    assert released.cells[1].source == STARTERS["f"]
    assert question_cells(grafted) == {"q": "check_answer('q', 7)"}
    assert setup_source(grafted) == "import numpy"


@pytest.mark.parametrize(
    "text",
    ["", "not json", "[]", "{}", "7", '{"cells": 3, "nbformat": 4, "nbformat_minor": 5, "metadata": {}}', "\x00"],
)
def test_what_is_no_notebook_is_said_in_one_sentence(text):
    with pytest.raises(ValueError, match="not a Jupyter notebook"):
        read(text)


def test_cells_of_odd_types_are_passed_over():
    good = json.loads(nbformat.writes(new_notebook(cells=[solve("f", "def f(x):\n    return 1")])))
    good["cells"] += [{"cell_type": "code", "source": 7, "metadata": {}, "outputs": [], "execution_count": None}]
    good["cells"][0]["metadata"]["tags"] = "setup"
    parsed = read(json.dumps(good))
    assert notebook.answers(parsed, STARTERS, is_starter) == {"f": "def f(x):\n    return 1"}
    assert setup_source(parsed) == ""


def test_an_old_notebook_format_is_read():
    code = {"cell_type": "code", "collapsed": False, "language": "python", "metadata": {}, "outputs": []}
    sheet = {"metadata": {}, "cells": [code | {"input": "def f(x):\n    return 1"}]}
    v3 = {"nbformat": 3, "nbformat_minor": 0, "metadata": {"name": ""}, "worksheets": [sheet]}
    assert answers(read(json.dumps(v3)), STARTERS, is_starter) == {"f": "def f(x):\n    return 1"}
