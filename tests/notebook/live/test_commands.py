"""A command of the terminal in a cell: one sentence says where it is typed and how."""

import pytest

from autograder.notebook.live.commands import told_of_terminal


@pytest.mark.parametrize("cell, command", [
    ("reset('naive_softmax')", "reset naive_softmax"),
    ("reset(naive_softmax)", "reset naive_softmax"),
    ("reset()", "reset EXERCISE"),
    ("x = 1\nreset('naive_softmax')", "reset EXERCISE"),
    ("reset naive_softmax", "reset naive_softmax"),
    ("tilewise check 2", "check 2"),
    ("!tilewise check 2", "check 2"),
    ("tilewise submit work/01_softmax.ipynb ", "submit work/01_softmax.ipynb"),
    ("doctor()", "doctor"),
    ("submit", "submit FILE"),
])  # fmt: skip
def test_a_command_in_a_cell_says_where_it_is_typed(shell, capsys, monkeypatch, cell, command):
    monkeypatch.setattr("shutil.which", lambda name: None)
    shell.run_cell(cell)
    said = capsys.readouterr().out.splitlines()[-1]
    assert said.startswith(f"{command.split()[0]} is a command for a terminal") and said.endswith(f"tilewise {command}")


@pytest.mark.parametrize(
    "cell", ["reset = print\nreset(2)", "grade = 2\nprint(grade)", "tilewise = 2\nprint(tilewise)"]
)
def test_a_name_of_ones_own_is_left_alone(shell, capsys, cell):
    shell.run_cell(cell)
    assert capsys.readouterr().out == "2\n"


def test_a_command_that_the_shell_finds_is_left_to_it(monkeypatch):
    monkeypatch.setattr("shutil.which", lambda name: f"/usr/bin/{name}")
    assert told_of_terminal(["!tilewise list\n"]) == ["!tilewise list\n"]


def test_a_verb_without_parentheses_says_how_it_is_called(shell, capsys):
    shell.run_cell("hint naive_softmax")
    assert capsys.readouterr().out == "In a cell hint is called with parentheses: hint(naive_softmax)\n"
