"""The way through the course as lists: its lessons with links, in each its exercises and how far they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .markup import BLUE, GREEN, GREY, MONO, esc, number

SIGNS = ("&#9675;", "&#9680;", "&#9679;")  # a circle: empty, half full, full


@dataclass(frozen=True)
class Node:
    """An exercise, with the points that its best answer earned."""

    name: str
    earned: float
    possible: float

    @property
    def share(self) -> float:
        return self.earned / self.possible if self.possible else 1.0


@dataclass(frozen=True)
class Stop:
    """A lesson: its exercises, how many of its questions are answered right, and the address of the learner's copy."""

    number: int
    stem: str
    title: str
    exercises: list[Node]
    right: int
    questions: int
    address: str = ""  # "" where there is no copy

    @property
    def earned(self) -> float:
        return sum(e.earned for e in self.exercises)

    @property
    def possible(self) -> float:
        return sum(e.possible for e in self.exercises)


def course_list(stops: Sequence[Stop], coming: str = "") -> str:
    """The lessons in order, as HTML; `coming` is the exercise to do next."""
    style = "list-style:none;margin:8px 0 0;padding:0"
    return f'<ol style="{style}">{"".join(_lesson(stop, coming) for stop in stops)}</ol>'


def _lesson(stop: Stop, coming: str) -> str:
    title = f"<b>{stop.number} {esc(stop.title)}</b>"
    if stop.address:
        title = f'<a href="{esc(stop.address, 2000)}" style="color:inherit">{title}</a>'
    questions = f", questions {stop.right} of {stop.questions}" if stop.questions else ""
    points = f"{number(stop.earned)} of {number(stop.possible)} points{questions}"
    edge = GREEN if stop.earned == stop.possible else BLUE if coming in [e.name for e in stop.exercises] else GREY
    inside = "".join(_exercise(node, node.name == coming) for node in stop.exercises)
    items = "display:flex;flex-wrap:wrap;gap:0 18px;list-style:none;margin:0;padding:0"
    return (
        f'<li style="margin:0 0 8px;padding:0 0 0 10px;border-left:3px solid {edge}">{title} <span>({points})</span>'
        f'<ul style="{items}">{inside}</ul></li>'
    )


def _exercise(node: Node, is_next: bool) -> str:
    sign = SIGNS[0 if not node.share else 1 if node.share < 1 else 2]
    state = f"{number(node.earned)} of {number(node.possible)}" + (", next" if is_next else "")
    weight = "bold" if is_next else "normal"
    name = f'<span style="{MONO};font-weight:inherit">{esc(node.name, 60)}</span>'
    said = f'<span style="font-size:.85em">({state})</span>'
    return f'<li style="margin:0;font-weight:{weight}"><span aria-hidden="true">{sign}</span> {name} {said}</li>'
