"""The picture of `trace` for an object that keeps blocks: every sequence's block table above, the pool below."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..runner.meters.words import counted
from ..showing.markup import AMBER, BLUE, GREEN, MUTED, RED, VIOLET, details, esc, heading, word
from ..showing.markup import frame as card
from ..showing.svg import picture
from .filmstrip import Strip, enlarged, in_a_row, in_rows
from .page_table import Move, PageFilm

SHOWN, ROWS = 12, 6  # frames of a strip, and rows of them, at most
COLOURS = (BLUE, AMBER, GREEN, VIOLET)  # of the sequences
CELL, HIGH, PITCH = 18, 17, 22  # pixels: a block's width and height, and from one block of the pool to the next
BESIDE, LEAST = 12, 74  # pixels: between two tables, and the least width of one, with its length above it
TABLE, POOL = 32, 78  # pixels from the top: where tables and pool begin
NOTES = 3  # lines below the pool
DASHED = ' stroke-dasharray="2.5 2.5"'
TABLES = "Above: block tables, filled as far as there are tokens. "
POOLED = "Below: the pool, with how many hold each block; dashed: free, thick: just taken."


def page_strip(film: PageFilm) -> Strip:
    """The first operations side by side, with a sentence where the object failed."""
    shape = _Shape(film.frames[:SHOWN])
    frames = film.frames[: min(SHOWN, ROWS * in_a_row(shape.width))]
    inside, width, height = in_rows([_drawn(frame, shape) for frame in frames], shape.width, shape.height)
    seen = "block tables and pool" if shape.tables else "the pool"
    drawn = picture(inside, width, height, f"{counted(len(frames), 'operation')} on {film.name}: {seen}")
    more = len(film.frames) - len(frames)
    note = (
        f"{counted(more, 'more operation')}: trace({film.name}, case={film.case}).slider() steps through all."
        if more
        else ""
    )
    head = heading(f"trace of <b>{esc(film.name)}</b>", f"case {film.case}: {esc(film.title)}")
    legend = f'<div style="{MUTED};font-size:.9em">{TABLES if shape.tables else ""}{POOLED} {note}</div>'
    failed = f"<div>{word('stopped', RED)} {esc(film.stopped, 600)}</div>" if film.stopped else ""
    said = "".join(f"<li>{esc('; '.join(_in_words(frame)), 900)}</li>" for frame in frames)
    listed = details("Each in words", f'<ol style="margin:0;padding-left:24px">{said}</ol>')
    page = card(RED if film.stopped else BLUE, head, drawn, failed, legend, listed, label=f"trace of {film.name}")
    return Strip("\n".join(_as_text(film, frames)), page, film, lambda: _big(film))


class _Shape:
    """The layout that all frames share: where each table begins, and the size of a frame."""

    def __init__(self, frames: list[Move]):
        both = [pages for frame in frames for pages in (frame.before, frame.after)]
        names = sorted({name for pages in both for name in pages.tables})
        self.tables: dict[Any, float] = {}
        x = 0.0
        wide = 122 if any(frame.parents for frame in frames) else 0  # "2 from 0: 10 tokens"
        for name in names:
            self.tables[name] = x
            x += max(LEAST, wide, CELL * max(len(pages.tables.get(name, [])) for pages in both)) + BESIDE
        self.colours = {name: COLOURS[i % len(COLOURS)] for i, name in enumerate(names)}
        self.n_blocks = max(len(pages.counts) for pages in both)
        self.pool = POOL if names else TABLE - 12
        said = [max([6.4 * len(_caption(f)), *(10 + 5.9 * len(note) for note, _ in _notes(f))]) for f in frames]
        self.width = round(max(x - BESIDE, PITCH * self.n_blocks, *said))
        self.notes = max(len(_notes(frame)) for frame in frames)
        self.height = round(self.pool + HIGH + 26 + 13 * self.notes)

    def block(self, block: int) -> float:
        """The left edge of a block of the pool."""
        return PITCH * block + (PITCH - CELL) / 2


def _drawn(frame: Move, shape: _Shape) -> str:
    return "".join([*_said(frame, shape), *_links(frame, shape), *_tables(frame, shape), *_pool(frame, shape)])


def _said(frame: Move, shape: _Shape) -> Iterator[str]:
    """The call, written above, and the notes below."""
    ended = f'<tspan font-weight="bold">{esc(frame.ended)}</tspan>' if frame.raised else esc(frame.ended)
    between = ": " if frame.raised else " = " if frame.ended else ""
    yield f'<text x="0" y="11"><tspan font-weight="bold">{esc(frame.call)}</tspan>{between}{ended}</text>'
    y = shape.pool + HIGH + 34
    for i, (note, accent) in enumerate(_notes(frame)):
        yield f'<path d="M0 {y + 13 * i - 7}h7v7h-7z" fill="{accent}"/>' if accent == RED else ""
        yield f'<text x="{10 * (accent == RED)}" y="{y + 13 * i}">{esc(note)}</text>'


def _links(frame: Move, shape: _Shape) -> Iterator[str]:
    """From each entry of a table to its block."""
    bottom, wrong = TABLE + HIGH, frame.wrong_blocks
    middle = (bottom + shape.pool) / 2
    for name, table in frame.after.tables.items():
        lines: dict[str, str] = {}
        for i, block in enumerate(table):
            if 0 <= block < shape.n_blocks:
                x, down = shape.tables[name] + CELL * (i + 0.5), shape.block(block) + CELL / 2
                colour = RED if block in wrong else shape.colours[name]
                line = f"M{x:g} {bottom}C{x:g} {middle:g} {down:g} {middle:g} {down:g} {shape.pool}"
                lines[colour] = lines.get(colour, "") + line
        for colour, path in lines.items():
            yield f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="1.3" opacity=".8"/>'


def _tables(frame: Move, shape: _Shape) -> Iterator[str]:
    overwritten = {(name, block) for name, block in frame.overwritten()}
    for name, table in frame.after.tables.items():
        left, colour, length = shape.tables[name], shape.colours[name], frame.after.lengths[name]
        said = _name(frame, name) if length is None else f"{_name(frame, name)}: {counted(length, 'token')}"
        yield f'<text x="{left:g}" y="{TABLE - 5}" font-weight="bold">{esc(said)}</text>'
        filled = sum(_share(frame, length, i) for i in range(len(table)))
        yield _boxes([(left, CELL * filled)], TABLE, f'fill="{colour}" opacity=".4"')
        wrong = [block in frame.wrong_blocks or (name, block) in overwritten for block in table]
        places = [(left + CELL * i, CELL) for i in range(len(table))]
        yield _boxes([p for p, bad in zip(places, wrong) if not bad], TABLE, _edge(1, 0.6))
        yield _boxes([p for p, bad in zip(places, wrong) if bad], TABLE, _edge(2, 1, RED))
        yield _numbers([(x, block) for (x, _), block in zip(places, table)], TABLE)


def _name(frame: Move, name: Any) -> str:
    """A sequence's number, and whose successor it is, where an operation replaces them all."""
    return f"{name} from {frame.parents[name]}" if name in range(len(frame.parents)) else f"{name}"


def _share(frame: Move, length: int | None, i: int) -> float:
    """How much of the i-th block of a sequence is filled."""
    return 1 if length is None else min(max(length / frame.block_size - i, 0), 1)


def _pool(frame: Move, shape: _Shape) -> Iterator[str]:
    counts = dict(enumerate(frame.after.counts))
    wrong = frame.wrong_blocks | {block for _, block in frame.overwritten()}
    held, free = [b for b in counts if counts[b]], [b for b in counts if not counts[b]]

    def boxes(blocks: list[int], look: str) -> str:
        return _boxes([(shape.block(block), CELL) for block in blocks], shape.pool, look)

    yield boxes(held, 'opacity=".14"')
    yield boxes([b for b in held if b not in wrong | frame.taken], _edge(1, 0.9))
    yield boxes([b for b in held if b in frame.taken - wrong], _edge(2.4, 1))
    yield boxes([b for b in held if b in wrong], _edge(2.4, 1, RED))
    yield boxes([b for b in free if b not in wrong], _edge(1, 0.5) + DASHED)
    yield boxes([b for b in free if b in wrong], _edge(2, 1, RED) + DASHED)
    yield _numbers([(shape.block(b), b) for b in held], shape.pool)
    yield f'<g opacity=".75">{_numbers([(shape.block(b), b) for b in free], shape.pool)}</g>' if free else ""
    below = shape.pool + 15
    for weight, blocks in (("normal", [b for b in held if b not in wrong]), ("bold", [b for b in held if b in wrong])):
        shown = _numbers([(shape.block(b), counts[b]) for b in blocks], below)
        yield f'<g font-weight="{weight}">{shown}</g>' if blocks else ""
    for name, old, new in frame.replaced:
        if {old, new} <= counts.keys():
            yield _arrow(shape.block(old) + CELL / 2, shape.block(new) + CELL / 2, shape.pool + HIGH + 14, shape, name)


def _boxes(places: list[tuple[float, float]], y: float, look: str) -> str:
    """Rectangles, each with its left edge and width, as one path."""
    path = "".join(f"M{x:g} {y:g}h{width:g}v{HIGH}h-{width:g}z" for x, width in places if width)
    return f'<path d="{path}" {look}/>' if path else ""


def _edge(wide: float, opacity: float, colour: str = "currentColor") -> str:
    return f'fill="none" stroke="{colour}" stroke-width="{wide:g}" opacity="{opacity:g}"'


def _numbers(places: list[tuple[float, int]], y: float) -> str:
    """Numbers in the middle of boxes with these left edges."""
    middle = "".join(f'<text x="{x + CELL / 2:g}" y="{y + 12.5:g}">{number}</text>' for x, number in places)
    return f'<g text-anchor="middle">{middle}</g>' if middle else ""


def _arrow(start: float, end: float, y: float, shape: _Shape, name: Any) -> str:
    """Below the counts from the old block to its copy."""
    colour = shape.colours[name]
    return (
        f'<path d="M{start:g} {y:g}C{start:g} {y + 11:g} {end:g} {y + 11:g} {end:g} {y + 3:g}" fill="none" '
        f'stroke="{colour}" stroke-width="1.6"/>'
        f'<path d="M{end - 3.5:g} {y + 4:g}h7L{end:g} {y - 2:g}z" fill="{colour}"/>'
    )


def _caption(frame: Move) -> str:
    return f"{frame.call}{': ' if frame.raised else ' = ' if frame.ended else ''}{frame.ended}"


def _notes(frame: Move) -> list[tuple[str, str]]:
    """Lines below the pool, each with its colour."""
    found = [(f"block {new} in place of {old}", "currentColor") for _, old, new in frame.replaced]
    found += [(f"{name} falls out", "currentColor") for name in frame.ended_here]
    found += [(note, RED) for note in frame.wrong()]
    if len(found) > NOTES:
        found[NOTES - 1 :] = [(f"and {len(found) - NOTES + 1} more", RED)]
    return found


def _big(film: PageFilm) -> list[str]:
    """Every frame by itself."""
    shape = _Shape(film.frames)
    return [
        enlarged(_drawn(frame, shape), shape.width, shape.height, f"step {number} of {len(film.frames)}", film.name)
        for number, frame in enumerate(film.frames, 1)
    ]


def _as_text(film: PageFilm, frames: list[Move]) -> Iterator[str]:
    yield f"trace of {film.name}, case {film.case}: {film.title}"
    for frame in frames:
        yield f"  {'; '.join(_in_words(frame))}"
    if len(film.frames) > len(frames):
        yield f"  {len(film.frames) - len(frames)} more operations"
    if film.stopped:
        yield film.stopped


def _in_words(frame: Move) -> Iterator[str]:
    yield _caption(frame)
    for name, table in frame.after.tables.items():
        length = frame.after.lengths[name]
        yield f"table of {_name(frame, name)} {table}" + ("" if length is None else f", {counted(length, 'token')}")
    yield f"counts {frame.after.counts}"
    yield from (f"{name} falls out" for name in frame.ended_here)
    yield from (f"block {new} in place of {old}" for _, old, new in frame.replaced)
    yield from (f"wrong: {note}" for note in frame.wrong())
