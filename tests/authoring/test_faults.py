"""What is wrong in a lesson's sources is said with file and line, before anything is built of them or proved."""

import re

import pytest

from autograder.authoring import faults, prove
from autograder.shell import cli
from autograder.spec import catalogue
from autograder.spec.catalogue import exercise_named, lesson_named
from autograder.spec.folders import KERNELS
from autograder.spec.starter import BEGIN, END, solved, starter, unpaired
from autograder.spec.user_error import UserError


@pytest.fixture
def softmax(tmp_path, monkeypatch):
    """Lesson 01 with another page; the function writes it, and returns all that is said of the lesson's sources."""
    catalogue.exercises()  # which reads the other pages while they are where they belong
    (tmp_path / "exercises").mkdir()
    page = lesson_named("softmax").page.read_text()
    catalogue.exercises()  # of the other lessons, whose pages are not there
    for module in (catalogue, faults):
        monkeypatch.setattr(module, "ROOT", tmp_path)
    monkeypatch.setattr(catalogue, "PAGES", tmp_path / "exercises")
    catalogue._exercises.cache_clear()

    def written(*changes):
        text = page
        for old, new in changes:
            text = re.sub(old, new, text, count=1)
        lesson_named("softmax").page.write_text(text)
        catalogue._exercises.cache_clear()
        return faults.faults(lesson_named("softmax"))

    yield written
    catalogue._exercises.cache_clear()


def proved():
    lesson = lesson_named("softmax")
    return [problem for part in prove.parts(lesson) for problem in prove.part_problems(lesson, part)]


def test_build_and_prove_begin_with_what_is_wrong_in_the_sources(softmax, capsys):
    assert softmax() == []
    found = softmax((r"    - .*", "    - no such line"), ("hint 1", "hint 2"))
    nowhere = r"exercises/softmax\.md:(\d+): safe_softmax: the edit of `[a-z-]+` applies nowhere"
    lines = [match and match[1] for match in (re.fullmatch(nowhere, sentence) for sentence in found)]
    assert len(set(lines)) == 2 and None not in lines, "that mistake, and the one that replaces the same line"
    assert proved() == found
    found = softmax((r"    - ", "    > "), ("hint 1", "hint 7"), ("## safe_softmax", "## safe"))
    assert len(found) > 3 and all(re.match(r"exercises/softmax\.md:\d+: ", sentence) for sentence in found)
    assert proved() == found
    with pytest.raises(SystemExit):
        cli.main(["build", "softmax"])
    assert all(sentence in capsys.readouterr().err for sentence in found[:1])


@pytest.mark.parametrize(
    ("text", "line", "sentence"),
    [
        (f"a\n{BEGIN}\nb", 2, "is not followed by"),
        (f"{BEGIN}\n  {BEGIN}\n{END}\n", 1, "is not followed by"),
        (f"a\n  // {END}", 2, "stands without"),
        (f"{BEGIN}\n{END}\n{END}", 3, "stands without"),
        (f"{BEGIN} of this\n{END}", 1, "is not alone"),
        (f"x {BEGIN}\n{END}", 1, "is not alone"),
    ],
)
def test_a_hole_that_is_not_closed_is_never_shown(text, line, sentence):
    found = list(unpaired(text))
    assert len(found) == 1 and found[0][0] == line and sentence in found[0][1]
    for shown in (solved, starter):
        with pytest.raises(UserError, match=f"line {line} of the source: .*{sentence}"):
            shown(text)


def test_an_open_hole_is_named_with_file_and_line(monkeypatch):
    lesson = lesson_named("cuda_softmax")
    exercise = lesson.exercises[1]
    line = next(i for i, text in enumerate(exercise.source.splitlines(), 1) if BEGIN in text)
    monkeypatch.setitem(vars(exercise), "source", exercise.source.replace(f"// {END}", "//", 1))
    assert f"kernels/cuda/{exercise.name}.cu:{line}: {BEGIN} is not followed by {END}" in faults.faults(lesson)


def test_the_lines_of_an_open_hole_are_those_of_its_file(monkeypatch):
    lesson, exercise = lesson_named("fused_softmax"), exercise_named("fused_softmax")
    monkeypatch.setattr(faults, "unpaired", lambda text: [(1, "here")])
    path = KERNELS / "fused_softmax.py"
    lines = [int(said.split(":")[1]) for said in faults.faults(lesson)]
    shown = [path.read_text().splitlines()[line - 1] for line in lines]
    assert len(shown) == 2 * len(lesson.exercises) and f"def {exercise.name}(" in "\n".join(shown)
    assert all(text.startswith(("@triton.jit", "def ")) for text in shown)
