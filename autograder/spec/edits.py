"""A mistake as an edit of the solution's source: which lines become which others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

BETWEEN_HUNKS = "@@"
PIECE, BECOMES = "~", " ->"


@dataclass(frozen=True)
class Swap:
    """An edit within lines: `old`, which stands in the source exactly once, becomes `new`."""

    old: str
    new: str

    def apply(self, source: str) -> str:
        """The wrong source. Raises ValueError unless the edit applies in exactly one place."""
        _once(source.count(self.old))
        return source.replace(self.old, self.new)


@dataclass(frozen=True)
class Diff:
    """An edit of whole lines. Each begins with "-", with "+", or, as context, with a space; "@@" separates two hunks.

    A hunk fits however it is indented as a whole, and what it adds is indented as the source is. A line "~ old -> new"
    is an edit by itself, a `Swap` of what changes within a line; without a new piece the old one is taken out.
    """

    lines: tuple[str, ...]

    def apply(self, source: str) -> str:
        """The wrong source. Raises ValueError unless each hunk, and each swap, applies in exactly one place."""
        for swap in self.swaps():
            source = swap.apply(source)
        text = source.split("\n")
        for start, end, new in sorted((_placed(hunk, text) for hunk in self.hunks()), reverse=True):
            text[start:end] = new
        return "\n".join(text)

    def swaps(self) -> list[Swap]:
        """The edits within lines. Raises ValueError if one does not say what becomes what."""
        pairs = (line[1:].split(BECOMES) for line in self.lines if line[:1] == PIECE)
        return [Swap(old.strip(), new.strip()) for old, new in pairs]

    def hunks(self) -> list[list[str]]:
        """The marked lines of each hunk."""
        found: list[list[str]] = [[]]
        whole = [line for line in self.lines if line[:1] != PIECE]
        for line in whole:
            if line == BETWEEN_HUNKS:
                found.append([])
            else:
                found[-1].append(line)
        return found if whole else []


@dataclass(frozen=True)
class Mutant:
    """A classic mistake, as an edit of the solution's source.

    `key` is what everything else calls it by: lower-case words joined by hyphens, unique in the exercise.
    `name` completes the sentence "Your answer is what you get when ...". `killed_by` is the key of a case that must
    reject it; `hint` (1 to 4) is the rung of the ladder that helps. `line`: where it stands in topic.md, if it does.
    """

    key: str
    name: str
    edit: Swap | Diff
    killed_by: str
    hint: int = 2
    line: int = 0


def _placed(hunk: Sequence[str], source: Sequence[str]) -> tuple[int, int, list[str]]:
    """Where in the source's lines the hunk's old ones begin and end, and its new ones, indented as they are there."""
    old = [line[1:] for line in hunk if line[:1] != "+"]
    bare = [line.strip() for line in old]
    places = []
    for start in range(len(source) - len(old) + 1):
        there = source[start : start + len(old)]
        if [line.strip() for line in there] == bare:
            shifts = {_margin(theirs) - _margin(ours) for theirs, ours in zip(there, old) if ours.strip()}
            places += [(start, shift) for shift in shifts if len(shifts) == 1]
    _once(len(places))
    start, shift = places[0]
    new = [line[1:] for line in hunk if line[:1] != "-"]
    return start, start + len(old), [" " * (_margin(line) + shift) + line.strip() if line else "" for line in new]


def _margin(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _once(places: int) -> None:
    if places != 1:
        raise ValueError(f"applies in {places} places" if places else "applies nowhere")
