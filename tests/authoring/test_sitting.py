"""A lesson's size: what counts, its bounds, and the minutes that the README says."""

import re
from types import SimpleNamespace

import pytest

from autograder.authoring import sitting
from autograder.spec.catalogue import lessons
from autograder.spec.folders import ROOT


def of(tmp_path, text, exercises=(), questions=()):
    source = tmp_path / "01_x.md"
    source.write_text(text)
    return SimpleNamespace(source=source, exercises=exercises, questions=questions)


def solved(*holes, first=""):
    marked = "".join(f"    ### BEGIN SOLUTION{first}\n{hole}    ### END SOLUTION\n" for hole in holes)
    return SimpleNamespace(source=f"def f(x):\n{marked}    return x\n")


def test_what_is_folded_is_not_read_and_what_is_given_is_not_written(tmp_path):
    cell = "```{{code-cell}}\n{}\na = 1\n\n# why\nb = 2\n```\n"
    text = "# Title\n\nTwo words.\n\n$$\na + b\n$$\n\n" + cell.format("") + cell.format(':tags: ["hide-input"]')
    found = sitting.sitting(of(tmp_path, text, [solved("    y = 1\n\n    # so\n", "    x += y\n    x -= 1\n")]))
    assert (found.words, found.cell_lines, found.hole_lines) == (4, 2, 3)


def test_of_a_hole_that_opens_with_an_earlier_answer_only_what_is_new_is_to_write(tmp_path):
    exercise = solved("    s = q @ k.T\n    return 2 * s\n", first=" from sink_attention")
    fresh = solved("    s = q @ k.T\n    return 2 * s\n")
    assert sitting.sitting(of(tmp_path, "# T", [fresh])).hole_lines == 2
    given = sitting._given("sink_attention", 1, 1)
    copied = solved("".join(f"    {line}\n" for line in given) + "    x = 1\n", first=" from sink_attention")
    assert sitting.sitting(of(tmp_path, "# T", [exercise])).hole_lines == 2
    assert sitting.sitting(of(tmp_path, "# T", [copied])).hole_lines == 1


@pytest.mark.parametrize(
    ("lesson", "said"),
    [
        (("word " * 2801, [], []), "2801 words; one sitting has at most 2800"),
        (("# T", [solved("    x = 1\n" * 61)], []), "61 lines to write; one sitting has at most 60"),
        (("# T", [solved("    x = 1\n")] * 6, []), "6 exercises; one sitting has at most 5"),
        (("# T", [solved("    x = 1\n" * 60)], [1] * 30), "85 minutes; one sitting has at most 75"),
    ],
)
def test_more_than_one_sitting_is_a_problem(tmp_path, lesson, said):
    assert list(sitting.problems(of(tmp_path, *lesson))) == [f"it has {said}"]


def test_the_readme_says_the_minutes_of_every_lesson():
    path = (ROOT / "README.md").read_text().split("| lesson | minutes |")[1].partition("\n\n")[0]  # where a table ends
    said = dict(re.findall(r"^\| (\w+) \| (\d+) \|", path, re.M))
    assert said == {lesson.topic: str(sitting.sitting(lesson).minutes) for lesson in lessons()}
