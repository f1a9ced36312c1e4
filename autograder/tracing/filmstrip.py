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
from .film import Film, Frame, short

SHOWN = 20  # frames of a strip
WIDTH = 840  # pixels of a strip
TALLEST, BROADEST, GAP = 72, 36, 10  # pixels: a tensor's largest height and width in a frame, and the space around it
BETWEEN = 30  # pixels between two frames
KINDS = {  # of each: how its tile looks, without colour too; and the colour and the word of the legend
    "load": (f'fill="{BLUE}"', BLUE, "read"),
    "store": (f'fill="{AMBER}" stroke="currentColor"', AMBER, "written, framed"),
}


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
    drawn = picture(inside, width, height, f"{_steps(len(frames))} of {film.name}: which tiles are read and written")
    legend = " ".join(f"{word(said, colour)}" for _, colour, said in KINDS.values())
    note = f'<span style="opacity:.7">{esc(" ".join(_notes(film)))}</span>'
    head = heading(f"trace of <b>{esc(film.name)}</b>", legend, aside=note)
    return Strip(
        "\n".join(_as_text(film)),
        card(BLUE, head, drawn, label=f"trace of {film.name}"),
        film,
        lambda: list(_big(film)),
    )


def _steps(count: int) -> str:
    return f"{count} step{'s' * (count != 1)}"


def _notes(film: Film) -> Iterator[str]:
    """What else there is to see."""
    if len(film.kernels) > 1:
        yield f"Launch {film.launch} of {len(film.kernels)}, of {film.kernels[film.launch - 1]}."
    others = ((n, kernel) for n, kernel in enumerate(film.kernels, 1) if n != film.launch)
    yield from (f"{film.call(n)} shows {kernel}." for n, kernel in others)
    more = len(film.frames) - SHOWN
    if more > 0:
        yield f"{more} more frames: {film.call()}.slider() steps through all."


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
    broad = max(120, round(sum(width for _, width, _ in boxes) + GAP * (len(boxes) - 1)))
    return broad, TALLEST + 65


def _boxes(film: Film) -> list[tuple[str, float, float]]:
    """Name, width and height in pixels of each tensor, all at one scale along each axis.

    Where keys lie in blocks each has its own scale, and room for its name.
    """
    if film.units:
        return [
            (name, BROADEST if columns > 1 else 34.0, min(float(TALLEST), 9.0 * rows))
            for name, (rows, columns) in film.tensors.items()
        ]
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
        pool = " pool" if film.units.get(name) == "blocks" else ""
        yield f'<text x="{x + width / 2:.4g}" y="10" text-anchor="middle">{esc(short(name) + pool)}</text>'
        yield f'<rect x="{x:.4g}" y="14" width="{width:.4g}" height="{height:.4g}" opacity=".12"/>'
        for touch in frame.touches:
            if touch.tensor == name:
                top, left = touch.rows[0] / rows * height, touch.columns[0] / columns * width
                tall = (touch.rows[1] - touch.rows[0] + 1) / rows * height
                broad = (touch.columns[1] - touch.columns[0] + 1) / columns * width
                yield (
                    f'<rect x="{x + left:.4g}" y="{14 + top:.4g}" width="{broad:.4g}" height="{tall:.4g}" '
                    f"{KINDS[touch.kind][0]}/>"
                )
        if film.units.get(name):  # lines between blocks, or between the entries of a table
            lines = "".join(f"M{x:.4g} {14 + row * height / rows:.4g}h{width:.4g}" for row in range(1, rows))
            yield f'<path d="{lines}" stroke="currentColor" stroke-width=".6" opacity=".5"/>'
        x += width + GAP


def _captions(frame: Frame) -> Iterator[str]:
    y = TALLEST + 28
    for i, line in enumerate(_said(frame)):
        yield f'<text x="0" y="{y + 13 * i}">{esc(line)}</text>'


def _said(frame: Frame) -> list[str]:
    moved = f"this program {in_bytes(frame.own)}", f"so far {in_bytes(frame.moved)}"
    statistics = ", ".join(f"{name} = {value:.4g}" for name, value in frame.statistics.items())
    return [f"program {_index(frame.program)}", *moved, *([statistics] if statistics else [])]


def _big(film: Film) -> Iterator[str]:
    """Every frame by itself."""
    width, height = _size(film)
    for number, frame in enumerate(film.frames, 1):
        yield enlarged(_drawn(film, frame), width, height, f"step {number} of {len(film.frames)}", film.name)


def enlarged(drawing: str, width: int, height: int, step: str, name: str) -> str:
    """A frame at twice its size, with the step's number below it."""
    below = height + 2 * GAP
    head = f'<text x="0" y="{below - 2:g}">{esc(step)}</text>'
    small = picture(drawing + head, width + GAP, below, f"{step} of {name}")
    return small.replace(f'width="{width + GAP:g}" height="{below:g}"', f'width="{2 * width}"', 1)


def _as_text(film: Film) -> Iterator[str]:
    yield f"trace of {film.name}, {_steps(len(film.frames))}"
    for frame in film.frames[:SHOWN]:
        yield f"  {'; '.join(_said(frame))}: {', '.join(_touched(film, frame))}"
    yield from _notes(film)


def _touched(film: Film, frame: Frame) -> Iterator[str]:
    """What a frame shows, in words, with the blocks of one tensor together."""
    rows: dict[tuple[str, str, str], list[str]] = {}
    for t in frame.touches:
        span = str(t.rows[0]) if film.units and t.rows[0] == t.rows[1] else f"{t.rows[0]}-{t.rows[1]}"
        columns = "" if film.units.get(t.tensor) == "blocks" else _columns(film, t.tensor, t.columns)
        rows.setdefault((t.kind, t.tensor, columns), []).append(span)
    for (kind, tensor, columns), spans in rows.items():
        unit = film.units.get(tensor, "rows")
        yield " ".join(filter(None, (f"{kind}s", short(tensor), unit, " ".join(spans)))) + columns


def _columns(film: Film, tensor: str, columns: tuple[int, int]) -> str:
    whole = columns == (0, film.tensors[tensor][1] - 1)
    return "" if whole else f" columns {columns[0]}-{columns[1]}"


def _index(program: tuple[int, int, int]) -> str:
    return ", ".join(map(str, program[: 1 + max((axis for axis in range(3) if program[axis]), default=0)]))
