"""plot_bench(result): rates over sizes as a figure of matplotlib, for the lessons."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..showing.markup import (
    GREEN,
    GREY,
    Shown,
    clip,
)
from ..spec.user_error import UserError
from .panels import Panel, panels
from .result import LEADING
from .shown import Bench, recorded
from .table import COLOURS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# For whoever cannot tell the colours apart; all others are circles.
MARKERS = {"yours": "D", "contiguous": "P", "cuDNN": "s", "flash": "^", "copy": "x", "torch": "v"}


def plot_bench(result: Bench | str | None = None) -> Figure | Shown:
    """Draw a result beside the recorded one of the H200, or the recorded one alone, with matplotlib.

    result: what `bench` returned; the name of an exercise, for its recorded measurement; None for all of them.
    Where nothing was measured (no GPU) the recorded one is drawn alone. Returns the figure, or a sentence where there
    is nothing to draw. Raises UserError if `result` is none of these.
    """
    if not isinstance(result, Bench | str | None):
        got = clip(repr(result), 60)
        raise UserError(f"plot_bench() draws what bench() returned, or the name of an exercise; got {got}")
    mine = result if isinstance(result, Bench) else Bench([])
    kept = recorded()
    names = mine.exercises or ([result] if isinstance(result, str) else list(kept.measured()))
    names = [name for name in names if mine.of(name) or kept.of(name)]
    if not names:
        said = "There is nothing to draw: neither measured here nor recorded."
        return Shown(said, f"<div>{said}</div>")
    return _figure(mine, kept, names)


def _figure(mine: Bench, kept: Bench, names: Sequence[str]) -> Figure:
    import matplotlib.pyplot as plt

    from ..figures import INK

    pairs = [pair for name in names for pair in _beside(panels(mine, name), panels(kept, name))]
    across = min(2, len(pairs))
    down = -(-len(pairs) // across)
    figure, axes = plt.subplots(down, across, figsize=(7, 0.5 + 2.5 * down), squeeze=False, layout="constrained")
    for ax, (here, there) in zip(axes.flat, pairs):
        _axes(ax, here, there, INK)
    for ax in axes.flat[len(pairs) :]:
        ax.axis("off")
    lines = {label: line for ax in axes.flat for line, label in zip(*ax.get_legend_handles_labels())}
    figure.legend(lines.values(), lines.keys(), loc="outside lower center", ncols=5, fontsize=8)
    device = kept.device.name if kept.device else ""
    measured = [f"here: {mine.device.name}"] if mine.rows and mine.device else []
    figure.suptitle("; ".join([*measured, f"recorded: {device}, {kept.date}"]), fontsize=9)
    plt.close(figure)  # it is shown once, as the value of its cell
    return figure


def _beside(here: Sequence[Panel], there: Sequence[Panel]) -> list[tuple[Panel | None, Panel | None]]:
    """Panels of the same title together."""
    mine, kept = ({panel.title: panel for panel in found} for found in (here, there))
    return [(mine.get(title), kept.get(title)) for title in dict.fromkeys([*mine, *kept])]


def _axes(ax: Any, here: Panel | None, there: Panel | None, ink: str) -> None:
    """What was measured here in full lines; what was recorded too if it is alone, else only the course's, dotted."""
    main = here or there
    assert main is not None
    for name, line in main.lines.items():
        thick = 2.2 if name in LEADING else 1.4
        style = {"marker": MARKERS.get(name, "o"), "color": COLOURS.get(name, GREY), "lw": thick, "ms": thick + 2.5}
        ax.plot(*zip(*line), **style, label=name)
    if here and there:
        at = {tick: i for i, tick in enumerate(here.ticks)}
        line = [(at[there.ticks[i]], rate) for i, rate in there.lines.get("course", []) if there.ticks[i] in at]
        if line:
            ax.plot(*zip(*line), "o:", color=GREEN, lw=1.2, ms=2.5, label="course, recorded")
    ax.axhline(main.roofline, color=ink, lw=1, ls="--", label=main.roof)
    if main.serial < 0.99 * main.roofline:
        ax.axhline(main.serial, color=ink, lw=1, ls=":", label="roofline without overlap")
    ax.set_xticks(range(len(main.ticks)), main.ticks, fontsize=8)
    ax.tick_params(axis="y", labelsize=8)
    ax.set_ylim(bottom=0)
    ax.set_title(main.title, fontsize=9)
    ax.set_ylabel(main.unit, fontsize=8)
    ax.set_xlabel(main.size, fontsize=8)
