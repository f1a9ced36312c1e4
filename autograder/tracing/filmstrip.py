"""The pictures of `trace`: a strip of small frames as static SVG, and a slider where widgets run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from ..runner.meters.words import in_bytes
from ..showing.markup import AMBER, BLUE, Shown, esc, heading, word
from ..showing.markup import frame as card
from ..showing.svg import picture
from ..spec.user_error import UserError
from .film import Film, Frame

SHOWN = 20  # frames of a strip
WIDTH = 840  # pixels of a strip
TALLEST, BROADEST, GAP = 72, 36, 10  # pixels: a tensor's largest height and width in a frame, and the space around it
BETWEEN = 30  # pixels between two frames
KINDS = {"load": (BLUE, "read"), "store": (AMBER, "written")}


@dataclass(frozen=True, repr=False)
class Strip(Shown):
    """The film strip; `slider()` steps through every frame, which `pictures` draws."""

    film: Any
    pictures: Callable[[], list[str]]

    def slider(self) -> Any:
        """A widget with one frame at a time. Raises UserError where anywidget is not installed."""
        try:
            from .slider import Slider
        except ImportError:
            raise UserError("the slider needs anywidget: pip install anywidget, then restart the kernel") from None
        return Slider(frames=self.pictures())


def strip(film: Film) -> Strip:
    """The first frames of the film side by side, in the order in which the programs ran."""
    frames = film.frames[:SHOWN]
    inside, width, height = in_rows([_drawn(film, frame) for frame in frames], *_size(film))
    drawn = picture(inside, width, height, f"{len(frames)} steps of {film.name}: which tiles are read and written")
    more = len(film.frames) - len(frames)
    note = f"{more} more frames: trace({film.name}).slider() steps through all." if more > 0 else ""
    legend = " ".join(f"{word(said, colour)}" for colour, said in KINDS.values())
    head = heading(f"trace of <b>{esc(film.name)}</b>", legend, aside=f'<span style="opacity:.7">{esc(note)}</span>')
    return Strip("\n".join(_as_text(film)), card(BLUE, head, drawn), film, lambda: list(_big(film)))


def in_rows(drawings: list[str], width: int, height: int) -> tuple[str, int, int]:
    """Frames of one size side by side, in as many rows as needed; with the total size in pixels."""
    columns = min(len(drawings), in_a_row(width))
    inside = "".join(
        f'<g transform="translate({i % columns * (width + BETWEEN)} {i // columns * (height + GAP)})">'
        f'<path d="M-{BETWEEN / 2:g} 0v{height:g}" stroke="currentColor" opacity=".2"/>{drawing}</g>'
        for i, drawing in enumerate(drawings)
    )
    lines = (len(drawings) + columns - 1) // columns
    inside = f'<g transform="translate({BETWEEN / 2:g} 0)">{inside}</g>'
    return inside, columns * (width + BETWEEN), lines * (height + GAP)


def in_a_row(width: int) -> int:
    """How many frames of this width in pixels fit side by side."""
    return max(1, WIDTH // (width + BETWEEN))


def _size(film: Film) -> tuple[int, int]:
    boxes = _boxes(film)
    broad = max(112, round(sum(width for _, width, _ in boxes) + GAP * (len(boxes) - 1)))
    return broad, TALLEST + 52


def _boxes(film: Film) -> list[tuple[str, float, float]]:
    """Name, width and height in pixels of each tensor, all at one scale along each axis."""
    most_rows = max(rows for rows, _ in film.tensors.values())
    most_columns = max(columns for _, columns in film.tensors.values())
    return [
        (name, max(8.0, BROADEST * columns / most_columns), max(8.0, TALLEST * rows / most_rows))
        for name, (rows, columns) in film.tensors.items()
    ]


def _drawn(film: Film, frame: Frame) -> str:
    return "".join([*_tensors(film, frame), *_captions(frame)])


def _tensors(film: Film, frame: Frame) -> Iterator[str]:
    x = 0.0
    for name, width, height in _boxes(film):
        rows, columns = film.tensors[name]
        yield f'<text x="{x + width / 2:.4g}" y="10" text-anchor="middle">{esc(_short(name))}</text>'
        yield f'<rect x="{x:.4g}" y="14" width="{width:.4g}" height="{height:.4g}" opacity=".12"/>'
        for touch in frame.touches:
            if touch.tensor == name:
                top, left = touch.rows[0] / rows * height, touch.columns[0] / columns * width
                tall = (touch.rows[1] - touch.rows[0] + 1) / rows * height
                broad = (touch.columns[1] - touch.columns[0] + 1) / columns * width
                yield (
                    f'<rect x="{x + left:.4g}" y="{14 + top:.4g}" width="{broad:.4g}" height="{tall:.4g}" '
                    f'fill="{KINDS[touch.kind][0]}"/>'
                )
        x += width + GAP


def _captions(frame: Frame) -> Iterator[str]:
    y = TALLEST + 28
    for i, line in enumerate(_said(frame)):
        yield f'<text x="0" y="{y + 13 * i}" font-size="10">{esc(line)}</text>'


def _said(frame: Frame) -> list[str]:
    moved = f"{in_bytes(frame.loaded)} in, {in_bytes(frame.stored)} out"
    statistics = ", ".join(f"{name} = {value:.4g}" for name, value in frame.statistics.items())
    return [f"program {_index(frame.program)}", moved, *([statistics] if statistics else [])]


def _big(film: Film) -> Iterator[str]:
    """Every frame by itself."""
    width, height = _size(film)
    for number, frame in enumerate(film.frames, 1):
        yield enlarged(_drawn(film, frame), width, height, f"step {number} of {len(film.frames)}", film.name)


def enlarged(drawing: str, width: int, height: int, step: str, name: str) -> str:
    """A frame at twice its size, with the step's number below it."""
    below = height + 2 * GAP
    head = f'<text x="0" y="{below - 2:g}" font-size="10">{esc(step)}</text>'
    small = picture(drawing + head, width + GAP, below, f"{step} of {name}")
    return small.replace(f'width="{width + GAP:g}" height="{below:g}"', f'width="{2 * width}"', 1)


def _as_text(film: Film) -> Iterator[str]:
    yield f"trace of {film.name}, {len(film.frames)} steps"
    for frame in film.frames[:SHOWN]:
        touched = ", ".join(
            f"{t.kind}s {_short(t.tensor)} rows {t.rows[0]}-{t.rows[1]}" + _columns(film, t.tensor, t.columns)
            for t in frame.touches
        )
        yield f"  {'; '.join(_said(frame))}: {touched}"


def _columns(film: Film, tensor: str, columns: tuple[int, int]) -> str:
    whole = columns == (0, film.tensors[tensor][1] - 1)
    return "" if whole else f" columns {columns[0]}-{columns[1]}"


def _short(name: str) -> str:
    """A kernel's parameter without the suffix that says what it is: q_ptr, k_desc -> q, k."""
    return name.removesuffix("_ptr").removesuffix("_desc")


def _index(program: tuple[int, int, int]) -> str:
    return ", ".join(map(str, program[: 1 + max((axis for axis in range(3) if program[axis]), default=0)]))
