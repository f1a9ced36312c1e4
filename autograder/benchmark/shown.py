"""A measurement that shows itself: a card with plots in a notebook, tables in print."""

from __future__ import annotations

from ..showing.markup import (
    GREEN,
    GREY,
    MUTED,
    RED,
    block,
    code,
    details,
    esc,
    frame,
    heading,
    word,
)
from ..spec.folders import MEASURED
from .panels import drawn, panels
from .result import Measurement
from .table import SHARES, aligned, can_do, remarks, table, text, title, where


def html(bench: Measurement) -> str:
    """The card of a notebook: static, with a plot as SVG and the table folded away."""
    name = " and ".join(bench.exercises)
    state = "measured" if bench.rows else "refused" if bench.refused else "not measured"
    accent = RED if bench.refused else GREEN if bench.rows else GREY
    head = heading(code(f"bench({name})"), word(state, accent), esc(where(bench)))
    parts = [f'<div style="{MUTED}">{esc(can_do(bench))}</div>'] if bench.rows else []
    parts += [f"<div>{esc(line[:1].upper() + line[1:], 600)}.</div>" for line in remarks(bench)]
    for exercise in bench.measured():
        headers, rows = table(bench, exercise)
        parts.append(f"<div>{esc(title(bench, exercise))}</div>")
        parts.append(f'<div style="margin-top:6px">{drawn(panels(bench, exercise), exercise)}</div>')
        parts.append(details("The table", block(f"{aligned(headers, rows)}\n\n{SHARES}", 12_000)))
    return frame(accent, head, *parts, label=f"bench of {name}: {state}")


class Bench(Measurement):
    """One run, which shows itself: plots and tables in a notebook, tables in print."""

    def _repr_html_(self) -> str:
        return html(self)

    def __str__(self) -> str:
        return text(self)

    __repr__ = __str__


def recorded() -> Bench:
    """The course's own kernels and their peers, measured on an H200, as they lie in bench/h200.json."""
    return Bench.load(MEASURED)
