"""A topic's page of hints and mistakes, from Markdown to data.

It has a section for each exercise: three hints, then the mistakes, each a sentence over a diff of the solution.

    ## safe_softmax

    1. Softmax does not change when the same number is added to every entry ...
    2. Look at what is subtracted ...
    3. x = [100, 101, -inf]: m = 101, ...

    ### `no-shift`: the maximum is not subtracted before exp (`large-positive`, hint 1)
        - numerator = np.exp(x - shift)
        + numerator = np.exp(x)
    ### `base-2`: powers of 2 are taken instead of powers of e (`plain`, hint 2)
        + numerator = np.exp2(x - shift)
    ### `shift-in-numerator-only`: the denominator is that of numbers that are not shifted (`plain`, hint 2)
        ~ numerator.sum -> np.exp(x).sum

A diff of `+` alone stands in place of the lines that the mistake above it takes out. `~` changes a piece of a line that
stands in the solution once. Mistakes that several exercises of the page invite by the same lines stand in a section
that all of them head, without hints: `## paged_decode, paged_prefill`.

This is plain CommonMark, of which few forms are used, and it is read line by line: the checker runs where no library
for Markdown is installed (beside a GPU), and a learner would wait for one to read the pages of all lessons.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from .edits import BECOMES, BETWEEN_HUNKS, PIECE, Diff, Mutant
from .exercise import A_KEY, KEY, Exercise

Lines = list[tuple[int, str]]  # with their numbers in the page, from 1
Problem = tuple[int, str]  # the number of a line, and a sentence that says what is wrong there

HINTS, RUNGS = 3, 4  # the last rung of the ladder is made from the solution
MARKS = f"-, + or another space, or {PIECE} old{BECOMES} new"
AND = ", "  # between the exercises that head a section together

_HEADING = re.compile(r"(#+) +(.*?) *")
_MISTAKE = re.compile(r"`(?P<key>[^`]*)`: (?P<name>.+) \(`(?P<case>[^`]*)`, hint (?P<hint>\d+)\)")
_FENCED = re.compile(r"^(```.*?^```)$", re.M | re.S)


@dataclass
class Section:
    """What a page says of one exercise, or of those that head it together. `line` is the heading's.

    replaced: the lines, with their marks, that the latest mistake replaces, if that is all that it does.
    """

    line: int
    hints: list[str] = field(default_factory=list)
    mutants: list[Mutant] = field(default_factory=list)
    replaced: list[str] = field(default_factory=list)


def read(page: str) -> tuple[dict[str, Section], list[Problem]]:
    """The sections of a page, by their headings, and what is wrong with their form."""
    sections: dict[str, Section] = {}
    problems: list[Problem] = []
    for number, level, title, body in _parts(page):
        if level == 2 and title not in sections:
            sections[title] = Section(number)
            problems += _add_hints(body, sections[title], 0 if AND in title else HINTS)
        elif level == 2:
            problems.append((number, f"{title} has a section above"))
        elif level == 3 and sections:
            problems += _add_mistake(number, title, body, list(sections.values())[-1])
        elif level != 1 or sections:
            problems.append((number, f"the heading {title!r} heads neither an exercise (##) nor its mistake (###)"))
    return sections, problems


def joined(exercises: Sequence[Exercise], sections: Mapping[str, Section]) -> tuple[list[Exercise], list[Problem]]:
    """The exercises with what the page says of them, their own mistakes last, and where the two do not fit together."""
    found = []
    names = [exercise.name for exercise in exercises]
    problems = [
        (section.line, f"there is no exercise {name}; there are {', '.join(names)}")
        for title, section in sections.items()
        for name in title.split(AND)
        if name not in names
    ]
    for exercise in exercises:
        section = sections.get(exercise.name, Section(1))
        if exercise.name not in sections:
            problems.append((1, f"the exercise {exercise.name} has no section"))
        theirs = [mutant for title, x in sections.items() if exercise.name in title.split(AND) for mutant in x.mutants]
        mutants = (*theirs, *exercise.mutants)
        found.append(replace(exercise, hints=tuple(section.hints), mutants=mutants))
        problems += [(line or section.line, said) for line, said in _misfits(found[-1])]
    return found, problems


def _misfits(exercise: Exercise) -> Iterator[Problem]:
    cases = [case.key for case in exercise.cases]
    keys = Counter(mutant.key for mutant in exercise.mutants)
    for mutant in exercise.mutants:
        if not KEY.fullmatch(mutant.key):
            yield mutant.line, f"the key `{mutant.key}` is not {A_KEY}"
        if keys[mutant.key] > 1:
            yield mutant.line, f"{exercise.name} has {keys[mutant.key]} mistakes with the key `{mutant.key}`"
        if mutant.killed_by not in cases:
            said = f"`{mutant.killed_by}` is no case of {exercise.name}; its cases are {', '.join(cases)}"
            yield mutant.line, f"`{mutant.key}` cannot be shown: {said}"
        if not 1 <= mutant.hint <= RUNGS:
            yield mutant.line, f"`{mutant.key}` points at hint {mutant.hint}; there are hints 1 to {RUNGS}"
    if exercise.puzzle and exercise.puzzle not in keys:
        yield 0, f"the puzzle of {exercise.name}, `{exercise.puzzle}`, is none of its mistakes"


def _parts(page: str) -> Iterator[tuple[int, int, str, Lines]]:
    """Of each heading the number of its line, its level and text, and the lines below it."""
    part: tuple[int, int, str, Lines] = (0, 1, "", [])
    for number, line in enumerate(page.splitlines(), 1):
        heading = _HEADING.fullmatch(line)
        if heading:
            yield part
            part = (number, len(heading[1]), heading[2], [])
        else:
            part[3].append((number, line))
    yield part


def _add_hints(body: Lines, section: Section, wanted: int) -> Iterator[Problem]:
    """Add the items of a numbered list, of which so many are wanted; yield what is wrong with it."""
    items: list[Lines] = []
    for number, line in body:
        if begin := re.match(r"\d+\. +", line):
            items.append([(number, line[begin.end() :])])
        elif items and (not line or line.startswith("   ")):
            items[-1].append((number, line[3:]))
        elif line.strip():
            yield number, "this line belongs to no hint; a hint begins with 1., 2. or 3. and goes on indented by three"
    for item in items:
        fences = [number for number, line in item if line.startswith("```")]
        if len(fences) % 2:
            yield fences[-1], "the block of code that begins here is never closed"
        section.hints.append(_unwrapped("\n".join(line for _, line in item)))
    if len(items) != wanted or not all(section.hints):
        yield section.line, f"the section needs {wanted} hints, and has {len(list(filter(None, section.hints)))}"


def _unwrapped(text: str) -> str:
    """The text with a line for each paragraph; fenced code stays as it is."""
    pieces = _FENCED.split(text)
    pieces[::2] = [re.sub(r"(?<=\S)\n(?=\S)", " ", prose) for prose in pieces[::2]]
    return "".join(pieces).strip()


def _add_mistake(number: int, title: str, body: Lines, section: Section) -> Iterator[Problem]:
    """Add the mistake below one heading; yield what is wrong with it."""
    found = _MISTAKE.fullmatch(title)
    if not found:
        yield number, "the heading of a mistake reads ### `its-key`: its sentence (`a-case`, hint 2)"
        return
    lines = []
    for at, line in body:
        marked = line[4:].rstrip()
        if not line.strip() or (line.startswith("    ") and _is_marked(marked)):
            lines.append(marked)
        else:
            yield at, f"this line is none of the diff of `{found['key']}`: four spaces, then {MARKS}"
    lines = "\n".join(lines).strip("\n").split("\n")
    if all(line[:1] == "+" for line in lines):
        if not section.replaced:
            yield number, f"`{found['key']}` only adds lines, and no mistake above says in place of which"
        lines = [*section.replaced, *lines]
    removed = [line for line in lines if line[:1] == "-"]
    section.replaced = removed if all(line[:1] == "+" for line in lines[len(removed) :]) else []
    diff = Diff(tuple(lines))
    if not all(any(line[:1] in ("-", "+") for line in hunk) for hunk in diff.hunks()):
        yield number, f"`{found['key']}` changes nothing: its diff, or a hunk of it, has no line with - or +"
    section.mutants.append(Mutant(found["key"], found["name"], diff, found["case"], int(found["hint"]), number))


def _is_marked(line: str) -> bool:
    return line[0] in " -+" or line == BETWEEN_HUNKS or (line[0] == PIECE and line.count(BECOMES) == 1)
