"""A topic's page of hints and mistakes: what is read from it, what its diffs do, and what is said where it is wrong."""

from dataclasses import replace

import pytest
from markdown_it import MarkdownIt

from autograder.spec.catalogue import exercise_named, lessons
from autograder.spec.edits import Diff, Mutant, Swap
from autograder.spec.exercise import Case, Exercise, Output
from autograder.spec.mistakes import joined, read
from autograder.spec.user_error import UserError

PAGE = """\
# Toy: hints and mistakes
What stands here is for people.

## mean
1. The idea is a sum
   that is shared out.
2. Look at `total`:

   ```python
   # the sum
   total = 0
   ```

   It starts at 0.
3. x = [1, 2] gives 1.5.
### `not-divided`: the sum is not divided (`plain`, hint 1)
    - return total / len(x)
    + return total
### `twice`: every number `x_i` counts (or so) twice (`long-one`, hint 4)
      for number in x:
          total += number
    +     total += number
    @@
      start = 0
    - total = start
    + total = start - 0

      for number in x:

## largest
1. a
2. b
3. c
"""
MEAN = """\
def mean(x):
    start = 0
    total = start

    for number in x:
        total += number
    return total / len(x)
"""


def mean(x):
    return sum(x) / len(x)


def largest(x):
    return max(x)


CASES = [Case("plain", "two numbers", lambda rng: {}), Case("long-one", "many numbers", lambda rng: {})]
TOY = [
    Exercise(function=mean, oracle=mean, cases=CASES, outputs=[Output("y")], points=1),
    Exercise(function=largest, oracle=largest, cases=CASES, outputs=[Output("y")], points=1),
]


def said(page, exercises=TOY):
    """What is wrong with a page, in the order of its lines."""
    sections, problems = read(page)
    return sorted([*problems, *joined(exercises, sections)[1]])


def test_a_page_is_read():
    sections, problems = read(PAGE)
    assert problems == [] and said(PAGE) == []
    assert list(sections) == ["mean", "largest"]
    assert sections["mean"].hints == [
        "The idea is a sum that is shared out.",
        "Look at `total`:\n\n```python\n# the sum\ntotal = 0\n```\n\nIt starts at 0.",
        "x = [1, 2] gives 1.5.",
    ]
    first, second = sections["mean"].mutants
    assert (first.key, first.name, first.killed_by, first.hint) == ("not-divided", "the sum is not divided", "plain", 1)
    assert second.name == "every number `x_i` counts (or so) twice" and (second.hint, second.line) == (4, 19)
    assert first.edit.apply(MEAN) == MEAN.replace(" / len(x)", "")
    twice = MEAN.replace("= start\n", "= start - 0\n").replace("+= number\n", "+= number\n        total += number\n")
    assert second.edit.apply(MEAN) == twice


def test_the_exercises_get_what_the_page_says_before_their_own():
    computed = Mutant("own", "computed", Swap("a", "b"), killed_by="plain")
    (first, second), problems = joined([replace(TOY[0], mutants=[computed]), TOY[1]], read(PAGE)[0])
    assert problems == []
    assert [mutant.key for mutant in first.mutants] == ["not-divided", "twice", "own"]
    assert second.hints == ("a", "b", "c") and second.mutants == ()


ANEW = """### `again`: the start is 1 (`plain`, hint 1)
    - start = 0
    + start = 1
### `and-again`: the start is 2 (`plain`, hint 1)
    + # two
    + start = 2
### `gone`: there is no start (`plain`, hint 1)
    - start = 0
"""


def test_a_diff_of_lines_added_replaces_those_that_the_mistake_above_does():
    sections, problems = read(PAGE.replace("## largest", ANEW + "## largest"))
    again, anew, gone = sections["mean"].mutants[-3:]
    assert problems == [] and again.edit.lines == ("- start = 0", "+ start = 1")
    assert anew.edit.lines == ("- start = 0", "+ # two", "+ start = 2") and gone.edit.lines == ("- start = 0",)
    assert anew.edit.apply(MEAN) == MEAN.replace("start = 0", "# two\n    start = 2")


@pytest.mark.parametrize("above", [" total = start\n    - start = 0", "- start = 0\n    @@\n    - total = start"])
def test_a_diff_of_lines_added_says_that_nothing_tells_where(above):
    """Above it stands no mistake of the section, or one that does more than to replace lines."""
    sentence = "`and-again` only adds lines, and no mistake above says in place of which"
    assert (34, sentence) in said(f"{PAGE}{ANEW[ANEW.index('### `and') :]}")
    assert any(text == sentence for _, text in said(PAGE + ANEW.replace("- start = 0", above, 1)))


PIECES = """### `piece`: the start is 2 in one line, and numbers count twice in another (`plain`, hint 1)
    ~ start = 0 -> start = 2
    ~ += number -> += 2 * number
    ~ in x ->
    - return total / len(x)
    + return total
"""


def test_pieces_of_lines_are_changed_beside_whole_lines():
    sections, problems = read(PAGE.replace("## largest", PIECES + "## largest"))
    assert problems == []
    wrong = "start = 2\n    total = start\n\n    for number :\n        total += 2 * number\n    return total\n"
    assert sections["mean"].mutants[-1].edit.apply(MEAN) == f"def mean(x):\n    {wrong}"


TOGETHER = """
## mean, largest
### `shared`: the start is 1 (`plain`, hint 1)
    - start = 0
    + start = 1
"""


def test_exercises_that_head_a_section_together_all_get_its_mistakes():
    (first, second), problems = joined(TOY, read(PAGE + TOGETHER)[0])
    assert problems == []
    assert [mutant.key for mutant in first.mutants] == ["not-divided", "twice", "shared"]
    assert second.mutants == first.mutants[-1:] and second.hints == ("a", "b", "c")
    assert said(PAGE + TOGETHER.replace("largest", "largset"))[0][1].startswith("there is no exercise largset")
    assert said(PAGE + TOGETHER.replace("###", "1. a\n###"))[0][1] == "the section needs 0 hints, and has 1"


@pytest.mark.parametrize(
    ("old", "new", "line", "sentence"),
    [
        ("3. c\n", "", 30, "the section needs 3 hints, and has 2"),
        ("3. c\n", "3. c\n4. d\n", 30, "the section needs 3 hints, and has 4"),
        ("3. c\n", "3.\n", 33, "this line belongs to no hint"),
        ("   that is shared out.", "that is shared out.", 6, "this line belongs to no hint"),
        ("   ```\n\n   It", "   It", 9, "the block of code that begins here is never closed"),
        (
            "## largest",
            "#### largest",
            30,
            "the heading 'largest' heads neither an exercise (##) nor its mistake (###)",
        ),
        ("## largest", "## largset", 30, "there is no exercise largset; there are mean, largest"),
        ("## largest", "## largset", 1, "the exercise largest has no section"),
        ("## largest", "## mean", 30, "mean has a section above"),
        ("`twice`: ", "`twice` ", 19, "the heading of a mistake reads ### `its-key`: its sentence (`a-case`, hint 2)"),
        ("(`long-one`, hint 4)", "(long-one, hint 4)", 19, "the heading of a mistake reads"),
        ("`twice`: ", "`Twice it`: ", 19, "the key `Twice it` is not made of lower-case words joined by hyphens"),
        ("`twice`: ", "`not-divided`: ", 16, "mean has 2 mistakes with the key `not-divided`"),
        ("`twice`: ", "`not-divided`: ", 19, "mean has 2 mistakes with the key `not-divided`"),
        (
            "long-one",
            "Long one",
            19,
            "`twice` cannot be shown: `Long one` is no case of mean; its cases are plain, long-one",
        ),
        ("hint 4", "hint 5", 19, "`twice` points at hint 5; there are hints 1 to 4"),
        ("    + return total\n", "  + return total\n", 18, "this line is none of the diff of `not-divided`"),
        ("    + return total\n", "    > return total\n", 18, "this line is none of the diff of `not-divided`"),
        ("    + return total\n", "    + return total\nRemark.\n", 19, "this line is none of the diff of `not-divided`"),
        ("    + return total\n", "    ~ total\n", 18, "this line is none of the diff of `not-divided`"),
        ("    - return total / len(x)\n    + return total\n", "", 16, "`not-divided` changes nothing"),
        ("    - total = start\n    + total = start - 0\n", "", 19, "`twice` changes nothing"),
    ],
)
def test_what_is_wrong_with_a_page_is_said_with_its_line(old, new, line, sentence):
    assert PAGE.count(old) == 1
    found = said(PAGE.replace(old, new))
    assert any(at == line and text.startswith(sentence) for at, text in found), found


def test_a_mistake_of_the_python_file_is_held_to_the_same():
    """It has no line of the page, so the section's is named."""
    wrong = Mutant("twice", "twice as well", Swap("a", "b"), killed_by="nowhere", hint=0)
    found = said(PAGE, [replace(TOY[0], mutants=[wrong], puzzle="none-such"), TOY[1]])
    assert [at for at, _ in found] == [4, 4, 4, 4, 19]
    assert any("the puzzle of mean, `none-such`, is none of its mistakes" in text for _, text in found)


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        ("- return totals", "applies nowhere"),
        ("-   for number in x:\n- total += number", "applies nowhere"),  # not indented like that against each other
        ("  total\n+ pass", "applies nowhere"),  # no whole line
        ("+ pass", "applies nowhere"),  # nothing says where
        ("\n+ pass", "applies nowhere"),
        ("- total = start\n@@\n- nowhere", "applies nowhere"),
        ("~ totals -> sums", "applies nowhere"),
        ("~ number -> x", "applies in 2 places"),
    ],
)
def test_a_diff_that_does_not_apply_once_is_refused(lines, sentence):
    with pytest.raises(ValueError, match=sentence):
        Diff(tuple(lines.split("\n"))).apply(MEAN)


def test_a_diff_needs_as_much_context_as_tells_places_apart():
    source = "if a:\n    x = 1\nif b:\n        x = 1\n"
    with pytest.raises(ValueError, match="applies in 2 places"):
        Diff(("- x = 1", "+ x = 2")).apply(source)
    assert Diff((" if b:", "-        x = 1", "+        x = 2")).apply(source) == source[:-2] + "2\n"
    with pytest.raises(ValueError, match="applies nowhere"):
        Diff((" if b:", "-    x = 1", "+    x = 2")).apply(source)


def test_what_a_diff_adds_is_indented_as_the_source_is():
    for shift in (0, 3, 10):
        given = tuple(
            mark + " " * shift + rest for mark, rest in (("-", "total += number"), ("+", "if x:"), ("+", "  y"))
        )
        assert Diff(given).apply(MEAN) == MEAN.replace("total += number\n", "if x:\n          y\n")


def test_an_exercise_says_which_mistake_does_not_apply():
    exercise = exercise_named("safe_softmax")
    with pytest.raises(UserError, match="safe_softmax: the edit of `x` applies nowhere"):
        exercise.with_mistake(Mutant("x", "", Swap("no such text", ""), "plain"))
    with pytest.raises(UserError, match=r"safe_softmax: the edit of `x` applies in \d+ places"):
        exercise.with_mistake(Mutant("x", "", Swap("np.", ""), "plain"))


@pytest.mark.parametrize("lesson", lessons(), ids=lambda lesson: lesson.topic)
def test_a_page_is_the_same_to_us_and_to_commonmark(lesson):
    """So that it reads on a website as it is read here."""
    sections, problems = read(lesson.page.read_text())
    assert problems == []
    tokens = MarkdownIt("commonmark").parse(lesson.page.read_text())
    assert {token.type.removesuffix("_open").removesuffix("_close") for token in tokens} <= {
        "heading", "paragraph", "inline", "ordered_list", "list_item", "code_block", "fence"
    }  # fmt: skip
    titles = [tokens[i + 1].content for i, token in enumerate(tokens) if token.type == "heading_open"][1:]
    ours = []
    for name, section in sections.items():
        ours += [name, *(f"`{m.key}`: {m.name} (`{m.killed_by}`, hint {m.hint})" for m in section.mutants)]
    assert titles == ours
    diffs = [
        tuple(line.rstrip() for line in token.content.splitlines()) for token in tokens if token.type == "code_block"
    ]
    edits = [mutant.edit.lines for section in sections.values() for mutant in section.mutants]
    assert diffs == [edit[-len(diff) :] for edit, diff in zip(edits, diffs, strict=True)]
    assert all(edit == diff or {line[0] for line in diff} == {"+"} for edit, diff in zip(edits, diffs))
    inside = [tokens[i + 2] for i, token in enumerate(tokens) if token.type == "list_item_open"]
    hints = [hint for section in sections.values() for hint in section.hints]
    assert [token.content.replace("\n", " ") for token in inside] == [hint.split("\n\n")[0] for hint in hints]
