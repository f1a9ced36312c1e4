"""Small pictures: the dots of the cases, and as inline SVG the heat map of the error.

Every picture has a name for readers who cannot see it; lines and text take the page's own colour. The name is an
attribute: JupyterLab, which drops SVG from a notebook that it does not trust and keeps the text, takes all that follows
a <title> for text.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..runner.meters.words import counted
from .error_map import INFINITE, LEVELS, NAN, WITHIN, ErrorMap, error_map
from .markup import GREEN, GREY, RED, VIOLET, esc

if TYPE_CHECKING:
    from ..judging.verdict import CaseResult

MAP_WIDTH, MAP_HEIGHT, CELL = 384, 192, 16  # pixels; CELL is the largest side of a cell
OPACITY = (0.1, 0.35, 0.55, 0.78, 1, 1, 1)  # by level
MAX_MAP_BYTES = 12_000
MOST_DOTS = 60
DOTS = {  # drawn by their borders, as a page that is printed leaves out what is behind its text
    "pass": f"border:4.5px solid {GREEN};border-radius:50%;margin:0 3px 0 2px",
    "skipped": f"width:8px;border-top:2px solid {GREY};margin:0 3px 3.5px",
}
FAILED = f"width:9px;height:9px;border:2px solid {RED};border-radius:50%;margin:0 3px 0 2px"  # any other status


def picture(inside: str, width: float, height: float, title: str) -> str:
    """An <svg> of width x height pixels that shrinks with the page. Where only its text is left, words stay words."""
    apart = inside.replace("</text>", "</text> ")
    return (
        f'<svg role="img" aria-label="{esc(title)}" '
        f'width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}" '
        f'style="max-width:100%;height:auto;display:inline-block;vertical-align:middle" fill="currentColor" '
        f'font-family="system-ui,sans-serif" font-size="11">{apart}</svg>'
    )


def dots(cases: Sequence[CaseResult], titled: bool = True) -> str:
    """One dot for each case: filled if it passes, hollow if it fails, a dash if it was not run."""
    out = []
    for i, case in enumerate(cases[:MOST_DOTS], 1):
        title = f' title="{i}. {esc(case.name)}: {case.meaning}"' if titled else ""
        out.append(
            f'<span{title} style="display:inline-block;box-sizing:border-box;{DOTS.get(case.status, FAILED)}"></span>'
        )
    passed = sum(case.status == "pass" for case in cases)
    said = f"{passed} of {counted(len(cases), 'case')} pass"
    return f'<span role="img" aria-label="{said}">{"".join(out)}</span>'


def heat_map(case: CaseResult) -> str:
    """The error of the case's worst output under the tile grid; empty where there is nothing to draw."""
    for most in (64, 40, 24):
        found = error_map(case, most)
        if found is None:
            return ""
        drawn = draw_map(found)
        if len(drawn) < MAX_MAP_BYTES:
            break
    return drawn


def draw_map(m: ErrorMap) -> str:
    """The map with the ends of its axes, a ring around the worst element, and a legend of the levels that occur."""
    rows, columns = m.shape[0] / m.step[0], m.shape[1] / m.step[1]
    side = min(CELL, MAP_WIDTH / columns, MAP_HEIGHT / rows)
    width, height = (max(n * side, min(n * CELL, 48)) for n in (columns, rows))
    left, top = 8 + 6.5 * len(str(m.shape[0] - 1)) if m.shape[0] > 1 else 1, 5  # room for the ring
    ring_x = left + (m.worst[1] + 0.5) / m.shape[1] * width
    ring_y = top + (m.worst[0] + 0.5) / m.shape[0] * height
    ring = max(4.5, 0.36 * side)
    unique = "tw" + hashlib.sha256(m.levels.tobytes() + repr(m.shape).encode()).hexdigest()[:8]
    cells = (
        f'<svg x="{left:g}" y="{top}" width="{width:g}" height="{height:g}" viewBox="0 0 {columns:g} {rows:g}" '
        f'preserveAspectRatio="none">{_cells(m, unique)}</svg>'
    )
    frame = f'<rect x="{left:g}" y="{top}" width="{width:g}" height="{height:g}" fill="none" {_line(0.45)}/>'
    grid = "".join(_grid(m, left, top, width, height))
    mark = _ring(ring_x, ring_y, ring)
    axes = "".join(_axes(m, left, top, width, height))
    cell = (width / columns, height / rows)
    beside = left + width + 200 < 620
    x, y = (left + width + 22, 2) if beside else (left, top + height + 20)
    legend, legend_width, legend_height = _legend(m, unique, cell, x, y, beside)
    total_width = max(left + width + 8, legend_width)
    total_height = max(top + height + 16, legend_height)
    title = f"|error| of {m.title}: {m.sentence()}; the worst is at {list(m.worst)}"
    patterns = _hatching(m, unique, cell)
    return picture(patterns + cells + grid + frame + mark + axes + legend, total_width, total_height, title)


def _cells(m: ErrorMap, unique: str) -> str:
    """One path for each level: a stroke of width 1 along every run of equal cells."""
    out = [f'<rect width="100%" height="100%" opacity="{OPACITY[WITHIN]}"/>']
    for level in sorted(set(m.levels.flat) - {WITHIN}):
        paint = f'stroke="{_paint(level, unique)}" opacity="{OPACITY[level]}" shape-rendering="crispEdges"'
        out.append(f'<path d="{"".join(_runs(m.levels == level))}" {paint}/>')
    return "".join(out)


def _runs(mask: np.ndarray) -> Iterator[str]:
    """Path data of the runs of True, each relative to the one before, to stay short."""
    for y, row in enumerate(mask):
        edges = np.flatnonzero(np.diff(np.concatenate([[0], row.astype(np.int8), [0]])))
        previous = None
        for start, end in edges.reshape(-1, 2):
            yield f"M{start} {y}.5h{end - start}" if previous is None else f"m{start - previous} 0h{end - start}"
            previous = end


def _grid(m: ErrorMap, left: float, top: float, width: float, height: float) -> Iterator[str]:
    """Tile boundaries, and fainter lines between the elements where there is room for them."""
    cell = (height * m.step[0] / m.shape[0], width * m.step[1] / m.shape[1])
    for size, opacity in ((m.step, 0.13), (m.tile, 0.6)):
        if size is None or (size == m.step and min(cell) < 8):
            continue
        ys = [top + height * y / m.shape[0] for y in range(size[0], m.shape[0], size[0])]
        xs = [left + width * x / m.shape[1] for x in range(size[1], m.shape[1], size[1])]
        if len(xs) + len(ys) <= 160:
            path = "".join([f"M{left:g} {y:.4g}h{width:g}" for y in ys] + [f"M{x:.4g} {top}v{height:g}" for x in xs])
            yield f'<path d="{path}" {_line(opacity)}/>' if path else ""


def _axes(m: ErrorMap, left: float, top: float, width: float, height: float) -> Iterator[str]:
    """The first and last index of each axis."""
    below = top + height + 12
    yield f'<g opacity=".7"><text x="{left:g}" y="{below:g}">0</text>'
    if m.shape[1] > 1:
        yield f'<text x="{left + width:g}" y="{below:g}" text-anchor="end">{m.shape[1] - 1}</text>'
    if m.shape[0] > 1:
        yield f'<text x="{left - 4:g}" y="{top + 9}" text-anchor="end">0</text>'
        yield f'<text x="{left - 4:g}" y="{top + height - 1:g}" text-anchor="end">{m.shape[0] - 1}</text>'
    yield "</g>"


def _legend(
    m: ErrorMap, unique: str, cell: tuple[float, float], x: float, y: float, column: bool
) -> tuple[str, float, float]:
    """The legend at (x, y), in a column if `column`, else in a row; with its right and lower end."""
    out, right, start = [], x, x
    found = sorted({WITHIN, *map(int, m.levels.flat)})
    names = {level: "wrong" if m.exact and level in (1, 2, 3, 4) else LEVELS[level] for level in found}
    entries: list[tuple[int | None, str]] = [*names.items(), (None, "worst")]
    for level, label in entries:
        label_width = 6.2 * len(label) + 28
        if not column and x > start and x + label_width > 600:
            x, y = start, y + 18
        if level is None:
            out.append(_ring(x + 5, y + 6, 4.5))
        else:
            paint = "currentColor" if level == WITHIN else _paint(level, unique)
            size = f'width="{10 / cell[0]:.4g}" height="{10 / cell[1]:.4g}"'
            swatch = f'<rect {size} fill="{paint}" opacity="{OPACITY[level]}"/>'
            out.append(f'<g transform="translate({x:g} {y + 1:g}) scale({cell[0]:.4g} {cell[1]:.4g})">{swatch}</g>')
        out.append(f'<text x="{x + 16:g}" y="{y + 10:g}">{label}</text>')
        right = max(right, x + label_width)
        x, y = (x, y + 18) if column else (x + label_width, y)
    return "".join(out), right, y + (0 if column else 18)


def _paint(level: int, unique: str) -> str:
    """The level's colour; NaN and infinity have patterns, with a plain colour where patterns are not drawn."""
    if level == NAN:
        return f"url(#{unique}n) {VIOLET}"
    return f"url(#{unique}i) {RED}" if level == INFINITE else RED


def _hatching(m: ErrorMap, unique: str, cell: tuple[float, float]) -> str:
    """The patterns, drawn in pixels although a cell (width, height in pixels) is the unit where they are used."""
    found = set(m.levels.flat)
    out = []
    for level, name, colour, lines in ((NAN, "n", VIOLET, "M0 6L6 0"), (INFINITE, "i", RED, "M3 0V6M0 3H6")):
        if level in found:
            out.append(
                f'<pattern id="{unique}{name}" width="6" height="6" patternUnits="userSpaceOnUse" '
                f'patternTransform="scale({1 / cell[0]:.4g} {1 / cell[1]:.4g})">'
                f'<rect width="6" height="6" fill="{colour}" opacity=".45"/>'
                f'<path d="{lines}" stroke="{colour}" stroke-width="2"/></pattern>'
            )
    return f"<defs>{''.join(out)}</defs>" if out else ""


def _ring(x: float, y: float, r: float) -> str:
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r:.1f}" fill="none" stroke="currentColor" stroke-width="1.8"/>'


def _line(opacity: float) -> str:
    return f'stroke="currentColor" stroke-width="1" opacity="{opacity}"'
