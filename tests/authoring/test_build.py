"""Lesson sources and kernels become notebooks: the same bytes every time, valid for nbgrader, no solution in sight."""

import ast
import inspect
import json
import re
from functools import cache

import pytest

from autograder.authoring.build import index_is_stale, index_text, solved_notebook, stale, student_notebook
from autograder.shell import cli
from autograder.spec import index, notebook
from autograder.spec.catalogue import exercises, lesson_named, lessons
from autograder.spec.folders import ROOT
from autograder.spec.notebook import as_text
from autograder.spec.starter import BEGIN, CUDA_STUB, END, STUB, solutions, solved, starter, unmarked
from autograder.spec.user_error import UserError

WHOLE = '''def f(x: int) -> int:
    """What it does.

    x: a number. Returns one.
    """
    y = x + 1
    return y
'''

PARTIAL = f'''def f(x):
    """What it does."""
    total = 0
    for item in x:
        {BEGIN}
        total += item
        {END}
    return total
'''

# Both notebooks of each lesson, built once for all tests that only look at them.
student, solution = cache(student_notebook), cache(solved_notebook)


def test_a_starter_keeps_signature_and_docstring():
    text = starter(WHOLE)
    assert text.endswith('    """\n    # TODO: write this part\n    raise NotImplementedError')
    assert text.startswith("def f(x: int) -> int:") and "y = x + 1" not in text
    ast.parse(text)


def test_a_starter_keeps_the_given_lines_around_a_marked_hole():
    text = starter(PARTIAL)
    hole = "        # TODO: write this part\n        raise NotImplementedError\n"
    assert f"    for item in x:\n{hole}    return total" in text
    assert "+=" not in text and BEGIN not in text


def test_the_solved_cell_is_the_solution_between_nbgraders_markers():
    assert solved(WHOLE).replace(f"    {BEGIN}\n", "").replace(f"\n    {END}", "") == WHOLE.rstrip("\n")
    assert solved(PARTIAL) == PARTIAL.rstrip("\n")


def test_the_contract_of_a_kernel_in_cuda_stands_before_its_cell():
    cells = student_notebook(lesson_named("cuda_flash_forward")).cells
    for exercise in lesson_named("cuda_flash_forward").exercises:
        at = next(i for i, cell in enumerate(cells) if cell.source.startswith(f"%%cuda {exercise.name}\n"))
        told = " ".join(cells[at - 1].source.split())
        assert cells[at - 1].cell_type == "markdown"
        assert " ".join(inspect.getdoc(exercise.function).split()) in told


@pytest.mark.parametrize("name", exercises())
def test_every_exercise_has_a_starter_without_its_solution(name):
    exercise = exercises()[name]
    text = exercise.starter
    if exercise.backend != "cuda":
        ast.parse(text)
    if exercise.puzzle:
        assert text.strip() != unmarked(exercise.source).strip() and BEGIN not in text
    else:
        assert text.count((CUDA_STUB if exercise.backend == "cuda" else STUB).split("\n")[0]) >= 1
        assert not any(code in text for code in solutions(exercise.source))


@pytest.mark.parametrize("lesson", lessons(), ids=lambda lesson: lesson.stem)
def test_a_rebuild_is_byte_equal_and_ids_are_unique(lesson):
    built = student(lesson)
    assert as_text(built) == as_text(student_notebook(lesson))
    ids = [cell.id for cell in built.cells]
    assert len(ids) == len(set(ids))
    assert ids == [cell.id for cell in solution(lesson).cells]


@pytest.mark.parametrize("lesson", lessons(), ids=lambda lesson: lesson.stem)
def test_student_and_solved_differ_in_solutions_and_answers_only(lesson):
    pairs = zip(student(lesson).cells, solution(lesson).cells, strict=True)
    for mine, theirs in pairs:
        assert mine.metadata == theirs.metadata
        is_solution = notebook.grade_id(mine).startswith(notebook.SOLVE) or notebook.question(mine)
        assert (mine.source == theirs.source) != bool(is_solution)


@pytest.mark.parametrize("lesson", lessons(), ids=lambda lesson: lesson.stem)
def test_code_fits_the_width_of_a_notebook_cell(lesson):
    lines = [line for c in student(lesson).cells if c.cell_type == "code" for line in c.source.splitlines()]
    assert [line for line in lines if len(line) > 96 and not line.startswith("%%needs")] == []


def test_points_and_locks_are_in_the_metadata():
    cells = {notebook.grade_id(c): c for c in student_notebook(lesson_named("softmax")).cells}
    check, solve = cells["check-safe_softmax"], cells["solve-safe_softmax"]
    assert check.metadata.nbgrader == {
        "schema_version": 3, "grade_id": "check-safe_softmax", "solution": False, "task": False,
        "grade": True, "locked": True, "points": exercises()["safe_softmax"].points,
    }  # fmt: skip
    assert check.metadata.editable is False
    theirs = solve.metadata.nbgrader
    assert theirs.solution and not theirs.locked and "points" not in theirs


def test_a_lesson_that_asks_for_what_is_not_there_is_refused(tmp_path, monkeypatch):
    from autograder.spec import catalogue

    (tmp_path / "01_softmax.md").write_text("# T\n\n```{code-cell}\n:question: nonsense\n```\n")
    monkeypatch.setattr(catalogue, "LESSONS", tmp_path)
    with pytest.raises(LookupError, match="nonsense"):
        student_notebook(lesson_named("softmax"))
    (tmp_path / "01_softmax.md").write_text("# T\n\n```{code-cell}\n:exercise: safe_softmx\n```\n")
    with pytest.raises(LookupError, match="did you mean safe_softmax"):
        student_notebook(lesson_named("softmax"))


def test_a_reference_to_a_topic_becomes_number_and_link_in_prose_and_a_number_in_code(tmp_path, monkeypatch):
    from autograder.spec import catalogue

    prose = "{Lesson}`softmax` came first; see {lesson}`online_softmax`'s loop."
    code = 'print("{lesson}`online_softmax`")  # {Lesson}`softmax`'
    (tmp_path / "02_online_softmax.md").write_text(f"# T\n\n{prose}\n\n```{{code-cell}}\n{code}\n```\n\n{prose}\n")
    monkeypatch.setattr(catalogue, "LESSONS", tmp_path)
    cells = [cell.source for cell in student_notebook(lesson_named("online_softmax")).cells]
    written = "[Lesson 01](01_softmax.ipynb) came first; see [lesson 02](02_online_softmax.ipynb)'s loop."
    assert cells[0].startswith("# T\n\n*About ") and cells[0].endswith(f".*\n\n{written}") and written in cells[3]
    assert cells[2] == 'print("lesson 02")  # Lesson 01'


def test_what_was_measured_is_written_out_and_what_was_not_is_one_sentence(tmp_path, monkeypatch):
    from autograder.authoring.cross_references import resolved
    from autograder.benchmark import recorded
    from autograder.spec import catalogue

    monkeypatch.setattr(catalogue, "LESSONS", tmp_path)
    source = tmp_path / "01_softmax.md"
    source.write_text("${measured}`copy`$ TB/s, {measured}`flash_mma course D=64 N=4096 full` TFLOP/s")
    row = next(row for row in recorded().of("flash_mma") if row.label == "D=64 N=4096 full")
    best = recorded().ceilings
    assert best and resolved(lesson_named("softmax")) == (
        f"${best.copy / 1e12:.2f}$ TB/s, {row.rate('course'):.0f} TFLOP/s"
    )
    source.write_text("{measured}`resident_warps tb_per_s 64` is {measured}`copy / matmul` and {measured}`copy / copy`")
    warps = json.loads((ROOT / "bench" / "h200_resident_warps.json").read_text(encoding="utf-8"))["tb_per_s"]["64"]
    assert resolved(lesson_named("softmax")) == f"{warps:.2f} is {best.copy / best.matmul:.2f} and 1.00"
    us = 1e3 * row.columns["cuDNN"].ms
    source.write_text("{measured}`us flash_mma cuDNN D=64 N=4096 full`")
    assert resolved(lesson_named("softmax")) == f"{us:.0f}"
    source.write_text("# T\n\n{measured}`flash_mma course D=96`")
    with pytest.raises(UserError, match=r"01_softmax.md, line 3, quotes 'flash_mma course D=96', which"):
        resolved(lesson_named("softmax"))


@pytest.mark.parametrize("reference", ["{lesson}`online_sofmax`", "{Lesson}`online_sofmax", "{lesson}`online_sofmax"])
def test_a_reference_to_a_topic_that_is_not_there_is_one_sentence_at_build(tmp_path, monkeypatch, capsys, reference):
    from autograder.spec import catalogue

    (tmp_path / "01_softmax.md").write_text(f"# T\n\nOne line,\nand {reference}\n")
    monkeypatch.setattr(catalogue, "LESSONS", tmp_path)
    with pytest.raises(SystemExit) as left:
        cli.main(["build", "--check", "softmax"])
    said = capsys.readouterr().err
    assert left.value.code and said.count("\n") == 1
    assert "lessons/01_softmax.md, line 4, refers to a lesson on 'online_sofmax', which is not there" in said
    assert "online_softmax" in said


@pytest.mark.parametrize("lesson", lessons(), ids=lambda lesson: lesson.stem)
def test_a_lesson_refers_to_others_by_topic_only(lesson):
    assert re.findall(r"\blessons?\s+\d+", lesson.source.read_text(), re.I) == []
    assert not re.search(r"\{lesson\}", str(student(lesson)), re.I)


def test_what_is_stale_is_named(tmp_path, monkeypatch):
    from autograder.spec import catalogue

    lesson = lesson_named("softmax")
    source, built, done = lesson.source.read_text(), lesson.notebook.read_text(), lesson.solved.read_text()
    for folder in ("LESSONS", "SOLUTIONS"):
        monkeypatch.setattr(catalogue, folder, tmp_path / folder)
        (tmp_path / folder).mkdir()
    lesson.source.write_text(source)
    assert stale(lesson) == [lesson.notebook, lesson.solved]
    lesson.notebook.write_text(built)
    lesson.solved.write_text(done)
    assert stale(lesson) == []
    lesson.source.write_text(source + "\nOne more sentence.\n")
    assert stale(lesson) == [lesson.notebook, lesson.solved]
    lesson.source.write_text(source)
    lesson.solved.write_text(as_text(solved_notebook(lesson)))  # not executed
    assert stale(lesson) == [lesson.solved]


def test_the_index_lists_what_the_lessons_ask(tmp_path, monkeypatch):
    assert not index_is_stale()
    listed = [(e.name, e.points, e.backend) for lesson in index.contents() for e in lesson.exercises]
    assert listed == [(e.name, e.points, e.backend) for e in exercises().values()]
    assert [(x.stem, x.title) for x in index.contents()] == [(x.stem, x.title) for x in lessons()]
    monkeypatch.setattr(index, "FILE", tmp_path / "index.json")
    assert index_is_stale()
    index.FILE.write_text(index_text().replace('"points": 1,', '"points": 7,', 1))
    assert index_is_stale()


def test_a_cell_that_needs_an_exercise_begins_with_the_guard():
    from autograder.spec.catalogue import Lesson

    lesson = next((x for x in lessons() if ":needs:" in x.source.read_text()), None)
    assert isinstance(lesson, Lesson)
    guarded = [c for c in student_notebook(lesson).cells if c.source.startswith("%%needs ")]
    named = {name for cell in guarded for name in cell.source.splitlines()[0].split()[1:]}
    assert guarded and named <= {e.name for e in lesson.exercises}
