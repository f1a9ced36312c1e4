"""A lesson's size: what counts, its bounds, and the minutes that the README says."""

import re
from types import SimpleNamespace

import pytest

from autograder.authoring import sitting
from autograder.runner.engines import ENGINES
from autograder.spec.catalogue import exercise_named, lessons
from autograder.spec.folders import ROOT


def of(tmp_path, text, exercises=(), questions=()):
    source = tmp_path / "01_x.md"
    source.write_text(text)
    return SimpleNamespace(source=source, exercises=exercises, questions=questions)


def solved(*holes, first="", name="f"):
    marked = "".join(f"    ### BEGIN SOLUTION{first}\n{hole}    ### END SOLUTION\n" for hole in holes)
    return SimpleNamespace(name=name, engine=ENGINES["torch"], source=f"def {name}(x):\n{marked}    return x\n")


def test_what_is_folded_is_not_read_and_what_is_given_is_not_written(tmp_path):
    cell = "```{{code-cell}}\n{}\na = 1\n\n# why\nb = 2\n```\n"
    text = "# Title\n\nTwo words.\n\n$$\na + b\n$$\n\n" + cell.format("") + cell.format(':tags: ["hide-input"]')
    found = sitting.sitting(of(tmp_path, text, [solved("    y = 1\n\n    # so\n", "    x += y\n    x -= 1\n")]))
    given = 4  # the definition, two lines of a stub, and the return
    assert (found.words, found.lines, found.hole_lines) == (4, 2 + given, 3)


def test_a_figure_is_looked_at_though_its_code_is_folded_and_what_cells_share_is_read_once(tmp_path):
    cell = '```{code-cell}\n:tags: ["hide-input"]\nax.plot(x)\nshow(fig)\nshow(other)\n```\n'
    found = sitting.sitting(of(tmp_path, "# T\n\n" + cell, [solved("    x = 1\n"), solved("    x = 2\n", name="g")]))
    assert (found.figures, found.lines) == (1, 4 + 1)


def test_what_is_optional_is_no_part_of_the_sitting(tmp_path):
    path = "# T\n\nOne word.\n\n## Main\n\n```{code-cell}\n:exercise: f\n```\n"
    asked = "```{code-cell}\n:exercise: g\n```\n\n```{code-cell}\n:question: q\n```\n"
    more = f"\n## More (optional)\n\nMore words.\n\n{asked}"
    exercises = [solved("    x = 1\n"), solved("    x = 2\n" * 90, name="g")]
    lesson = of(tmp_path, path + more + "\n## End\n", exercises, ["q"])
    assert sitting.sitting(lesson, optional=False) == sitting.sitting(of(tmp_path, path + "\n## End\n", exercises[:1]))
    assert list(sitting.problems(lesson))[:1] == ["it has 91 lines to write; one sitting has at most 60"]


def test_a_contract_that_stands_before_its_cell_is_read_too():
    kernel, function = exercise_named("flash_tiles"), exercise_named("flash_full")
    contract = sitting.contract_apart(kernel)
    assert contract.startswith("flash_tiles(q, k, v, causal, scale)\n") and "No lane waits for a bank" in contract
    assert {line.strip() for line in contract.splitlines() if line.strip()} <= sitting._given_lines([kernel])
    assert sitting.contract_apart(function) == ""


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
        (("word " * 2801, [], [1] * 20), "it has 2801 words; one sitting has at most 2800"),
        (("# T", [solved("    x = 1\n" * 61)], [1] * 20), "it has 61 lines to write; one sitting has at most 60"),
        (("# T", [solved("    x = 1\n")] * 6, [1] * 30), "it has 6 exercises; one sitting has at most 5"),
        (("# T", [], [1] * 51), "it takes 76.5 minutes; one sitting is 45 to 75"),  # shown as 75
        (("# T", [], [1] * 29), "it takes 43.5 minutes; one sitting is 45 to 75"),  # shown as 45
    ],
)
def test_more_or_less_than_one_sitting_is_a_problem(tmp_path, lesson, said):
    assert list(sitting.problems(of(tmp_path, *lesson))) == [said]


def test_what_would_be_said_to_be_within_the_bounds_is(tmp_path):
    lesson = of(tmp_path, "word " * 224, [], [1] * 29)
    assert 44.9 < sitting.sitting(lesson).exact_minutes < 45
    assert list(sitting.problems(lesson)) == []


def test_the_readme_says_the_minutes_of_every_lesson():
    path = (ROOT / "README.md").read_text().split("| lesson | minutes |")[1].partition("\n\n")[0]  # where a table ends
    said = dict(re.findall(r"^\| (\w+) \| (\d+) \|", path, re.M))
    assert said == {lesson.topic: str(sitting.sitting(lesson, optional=False).minutes) for lesson in lessons()}
