"""The house: what may import what, where things lie, and that nothing names this machine."""

import ast
import inspect
import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from autograder.spec.catalogue import exercise_named, exercises, lesson_named, lessons
from autograder.spec.folders import ROOT

PYTHON_FILES = [
    p for folder in ("kernels", "autograder", "tests", "bench") for p in sorted((ROOT / folder).rglob("*.py"))
]


def imports(path: Path) -> set[str]:
    """Top-level names of all modules that a file imports, relative ones as their package."""
    package = path.relative_to(ROOT).parts[0]
    names = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add(package if node.level else (node.module or "").split(".")[0])
    return names


def test_the_kernels_import_arrays_and_nothing_of_the_course():
    for path in (ROOT / "kernels").rglob("*.py"):
        assert imports(path) <= set(sys.stdlib_module_names) | {"numpy", "torch", "triton", "kernels", "simt"}, path


def test_what_launches_kernels_knows_nothing_of_the_course():
    for path in (ROOT / "simt").rglob("*.py"):
        assert imports(path) <= set(sys.stdlib_module_names) | {"torch", "cuda", "simt"}, path


def test_the_runner_imports_arrays_and_nothing_from_above():  # import-linter sees to what is autograder's own
    allowed = {"ml_dtypes", "numpy", "torch", "triton", "simt", "autograder"}
    for path in (ROOT / "autograder" / "runner").rglob("*.py"):
        assert imports(path) <= set(sys.stdlib_module_names) | allowed, path


def test_lessons_and_tests_are_imported_by_nobody():
    for path in PYTHON_FILES:
        if path.relative_to(ROOT).parts[0] in ("kernels", "autograder"):
            assert not imports(path) & {"tests", "lessons", "solutions", "bench"}, path


def test_oracles_checker_and_grader_load_without_jupyter_nbgrader_or_triton():
    parts = ["kernels.reference", "autograder.notebook.check", "autograder.grading.grade"]
    parts += ["autograder.grading.classroom", "autograder.benchmark"]
    hidden = ["IPython", "jupyter_core", "nbgrader", "triton", "jupytext", "nbclient", "matplotlib", "typer", "rich"]
    code = f"import sys; sys.modules.update(dict.fromkeys({hidden!r})); import {', '.join(parts)}"
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd="/", env=environment)
    assert done.returncode == 0, done.stderr


def test_what_is_held_to_be_right_stands_beside_its_cases_where_it_is_one_expression_alone():
    for exercise in exercises().values():
        if exercise.oracle.__module__.startswith("autograder") and exercise.oracle.__name__ != "<lambda>":
            (function,) = ast.parse(textwrap.dedent(inspect.getsource(exercise.oracle))).body
            assert isinstance(function, ast.FunctionDef) and isinstance(function.body[-1], ast.Return), exercise.name
            assert len(function.body) - bool(ast.get_docstring(function)) == 1, exercise.name


def test_a_topic_has_one_name_everywhere():
    for lesson in lessons():
        for path in (
            f"kernels/{lesson.topic}.py",
            f"autograder/exercises/{lesson.topic}.py",
            f"lessons/{lesson.stem}.ipynb",
            f"solutions/{lesson.stem}.ipynb",
        ):
            assert (ROOT / path).exists(), path
        assert all(e.topic == lesson.topic for e in lesson.exercises)
    numbers = [lesson.number for lesson in lessons()]
    assert numbers == list(range(1, len(numbers) + 1))
    assert len(exercises()) == sum(len(lesson.exercises) for lesson in lessons())


def test_lessons_and_exercises_are_found_by_any_of_their_names():
    assert {lesson_named(n) for n in ("02_online_softmax", "online_softmax", "2", "02")} == {lesson_named("2")}
    with pytest.raises(LookupError, match="`tilewise list` shows"):
        lesson_named("nope")
    with pytest.raises(LookupError, match=r"did you mean softmax( or \w+)*\?"):
        lesson_named("softmx")
    with pytest.raises(LookupError, match="did you mean merge_stats"):
        exercise_named("merge_stat")


def test_files_are_small_and_name_no_machine():
    tracked = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True).stdout.split("\0")
    for name in filter(None, tracked):
        path = ROOT / name
        if path.exists():
            assert path.stat().st_size < 1_000_000, name
            text = path.read_text(errors="replace")
            assert not re.search(r"(?<![\w.])/(home|root|work)/\w", text) or name == "tests/spec/test_catalogue.py", (
                name
            )
