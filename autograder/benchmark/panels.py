"""Rates over sizes as small plots in SVG, for the card of a notebook."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ..showing.markup import (
    GREY,
    esc,
)
from ..showing.svg import picture
from .result import LEADING, Measurement, Row
from .table import COLOURS, mask

PANEL_WIDTH, PANEL_HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 410, 190, 34, 79, 22, 30  # pixels; the margins of the plot


@dataclass
class Panel:
    """One small plot: rates over sizes, a line for each column; `roofline` and `serial` are rates too.

    size: what the ticks count.
    """

    title: str
    unit: str
    size: str
    ticks: list[str]
    lines: dict[str, list[tuple[int, float]]] = field(default_factory=dict)
    roofline: float = 0.0
    serial: float = 0.0

    @property
    def roof(self) -> str:
        """The name of the roofline: where bytes are moved it is a copy, and reading alone can be a little faster."""
        return "copy, 1 GiB" if self.unit == "TB/s" else "roofline"


def panels(bench: Measurement, exercise: str) -> list[Panel]:
    """A panel for each head dim and mask, or for each batch, or one for all sizes of a softmax."""
    found: dict[str, Panel] = {}
    for row in bench.of(exercise):
        name = exercise + _group(row)
        size = {"softmax": "columns", "decode": "context"}.get(row.kind, "N")
        panel = found.setdefault(name, Panel(name, row.unit, size, []))
        panel.ticks.append(_short(int(row.shape[size.lower()])))
        panel.roofline = row.roofline / 1e12
        panel.serial = row.serial / 1e12
        for column in row.columns:
            panel.lines.setdefault(column, []).append((len(panel.ticks) - 1, row.rate(column)))
    return list(found.values())


def _group(row: Row) -> str:
    """What the rows of one panel have in common, after the name of the exercise."""
    if row.kind == "softmax":
        return ""
    if row.kind == "decode":
        page = f", page {row.shape['page']}" if "page" in row.shape else ""
        return f", batch {row.shape['batch']}, {row.shape['kv_heads']} KV heads{page}"
    return f", D={row.shape['d']}, {mask(row)}"


def _short(n: int) -> str:
    return f"{n // 1024}k" if n >= 1024 and n % 1024 == 0 else str(n)


def drawn(all_panels: Sequence[Panel], name: str) -> str:
    """The panels in two columns, all with the same vertical scale."""
    top = max((rate for panel in all_panels for rate in _rates(panel)), default=1.0)
    across = min(2, len(all_panels))
    inside = "".join(
        f'<g transform="translate({i % across * PANEL_WIDTH} {i // across * PANEL_HEIGHT})">{_panel(panel, top)}</g>'
        for i, panel in enumerate(all_panels)
    )
    height = PANEL_HEIGHT * -(-len(all_panels) // across)
    said = "; ".join(
        f"{p.title}: {', '.join(f'{n} {line[-1][1]:.3g}' for n, line in p.lines.items())}" for p in all_panels
    )
    unit = all_panels[0].unit if all_panels else ""
    return picture(inside, across * PANEL_WIDTH, height, f"{name} in {unit}; at the largest size {said}")


def _rates(panel: Panel) -> list[float]:
    return [panel.roofline, *(rate for line in panel.lines.values() for _, rate in line)]


def _panel(panel: Panel, top: float) -> str:
    width, height = PANEL_WIDTH - LEFT - RIGHT, PANEL_HEIGHT - TOP - BOTTOM
    step = width / max(len(panel.ticks) - 1, 1)

    def x(i: float) -> float:
        return LEFT + i * step

    def y(rate: float) -> float:
        return TOP + height * (1 - rate / top)

    out = [f'<text x="{LEFT}" y="13" font-weight="bold">{esc(panel.title)} ({panel.unit})</text>']
    out.append(
        f'<path d="M{LEFT} {TOP}V{TOP + height}H{LEFT + width}" fill="none" stroke="currentColor" opacity=".5"/>'
    )
    out += [
        f'<path d="M{LEFT} {y(value):.1f}h{width}" stroke="currentColor" opacity=".12"/>'
        f'<text x="{LEFT - 5}" y="{y(value) + 4:.1f}" text-anchor="end" opacity=".7">{value:g}</text>'
        for value in nice(top)
    ]
    for i, tick in enumerate(panel.ticks):
        out.append(f'<text x="{x(i):.1f}" y="{TOP + height + 15}" text-anchor="middle" opacity=".7">{tick}</text>')
    out.append(f'<text x="{LEFT + width + 16}" y="{TOP + height + 15}" opacity=".7">{panel.size}</text>')
    labels = [(y(panel.roofline), panel.roof, "currentColor")]
    out.append(_level(y(panel.roofline), width, "6 4"))
    if panel.serial < 0.99 * panel.roofline:
        labels.append((y(panel.serial), "serial", "currentColor"))
        out.append(_level(y(panel.serial), width, "2 3"))
    for name, line in panel.lines.items():
        points = [(x(i), y(rate)) for i, rate in line]
        colour, thick = COLOURS.get(name, GREY), 2.5 if name in LEADING else 1.5
        path = "L".join(f"{a:.1f} {b:.1f}" for a, b in points)
        out.append(f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="{thick}"/>')
        out += [f'<circle cx="{a:.1f}" cy="{b:.1f}" r="{thick + 0.5}" fill="{colour}"/>' for a, b in points]
        labels.append((points[-1][1], name, colour))
    for place, name, colour in spread_out(labels):
        out.append(f'<circle cx="{LEFT + width + 9}" cy="{place:.1f}" r="3" fill="{colour}"/>')
        out.append(f'<text x="{LEFT + width + 15}" y="{place + 4:.1f}">{esc(name)}</text>')
    return "".join(out)


def _level(y: float, width: float, dash: str) -> str:
    return f'<path d="M{LEFT} {y:.1f}h{width}" stroke="currentColor" stroke-dasharray="{dash}" opacity=".6"/>'


def nice(top: float) -> list[float]:
    """Three to six round numbers up to `top`."""
    unit = 10.0 ** (len(f"{top:.0f}") - 1)
    step = next(s * unit for s in (0.1, 0.2, 0.25, 0.5, 1, 2) if top / (s * unit) <= 6)
    return [step * i for i in range(1, int(top / step) + 1)]


def spread_out(labels: Sequence[tuple[float, str, str]], apart: float = 12) -> list[tuple[float, str, str]]:
    """The labels from the top down, moved so that none overlap; the lowest stays inside the plot."""
    out: list[tuple[float, str, str]] = []
    for place, name, colour in sorted(labels):
        out.append((max(place, out[-1][0] + apart if out else place), name, colour))
    limit = float(PANEL_HEIGHT - BOTTOM)
    for i in range(len(out) - 1, -1, -1):
        out[i] = (min(out[i][0], limit), *out[i][1:])
        limit = out[i][0] - apart
    return out
