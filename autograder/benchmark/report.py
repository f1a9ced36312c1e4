"""A measurement for people: a table for the terminal, a card with a plot for the notebook, a figure for the lessons."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..markup import AMBER, BLUE, GREEN, GREY, MUTED, RED, VIOLET, Shown, block, code, details, esc, frame, heading
from ..svg import picture
from .result import LEADING, Bench, Row, recorded

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLOURS = {
    "yours": BLUE, "course": GREEN, "contiguous": RED, "cuDNN": AMBER, "flash": VIOLET, "copy": GREY, "torch": AMBER
}  # fmt: skip
PANEL_WIDTH, PANEL_HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 410, 190, 34, 72, 22, 30  # pixels; what is around the plot
LONG, LARGE = 4096, 0.5e9  # tokens or, of a cache, bytes from which on `worst` counts


# Tables.


def table(bench: Bench, exercise: str) -> tuple[list[str], list[list[str]]]:
    """Headers and cells of one exercise. Ratios, shares and spread are those of the first column of rates."""
    rows = bench.of(exercise)
    names = [name for name in COLOURS if any(name in row.columns for row in rows)]
    others = [name for name in names if name not in LEADING]
    headers = [*_sizes(rows[0]), *names, *(f"x {name}" for name in others), "of roof"]
    headers += [] if _moves(rows[0]) else ["of serial"]
    return [*headers, "spread"], [_cells(row, names, others) for row in rows]


def _cells(row: Row, names: Sequence[str], others: Sequence[str]) -> list[str]:
    digits, ceilings = (2, [row.roofline]) if _moves(row) else (0, [row.roofline, row.serial])
    rates = [f"{row.rate(name):.{digits}f}" if name in row.columns else "-" for name in names]
    ratios = [f"{row.ratio(name):.2f}" if name in row.columns else "-" for name in others]
    shares = [f"{row.share(ceiling):.0%}" for ceiling in ceilings]
    return [*_sizes(row).values(), *rates, *ratios, *shares, f"±{row.columns[row.lead].spread:.1%}"]


def _moves(row: Row) -> bool:
    """Whether the work is bytes."""
    return row.unit == "TB/s"


def _sizes(row: Row) -> dict[str, str]:
    """The first cells of a row by their headers."""
    shape = row.shape
    if row.kind == "softmax":
        return {"rows": str(shape["rows"]), "columns": str(shape["columns"])}
    if row.kind == "decode":
        cells = {"batch": str(shape["batch"]), "context": str(shape["context"]), "KV heads": str(shape["kv_heads"])}
        cells |= {"page": str(shape["page"])} if "page" in shape else {}
        return cells | {"us": f"{1e3 * row.columns[row.lead].ms:.0f}"}
    return {"D": str(shape["d"]), "N": str(shape["n"]), "mask": mask(row)}


def mask(row: Row) -> str:
    return "causal" if row.shape["causal"] else "full"


def title(bench: Bench, exercise: str) -> str:
    row = bench.of(exercise)[0]
    return f"{exercise}: {row.kind}, {row.dtype}, {row.unit}"


def where(bench: Bench) -> str:
    """The device, the versions and the day, in one line."""
    if not bench.device:
        return ""
    d = bench.device
    clock = f" at {d.clock_ghz:.2f} GHz" if d.clock_ghz else ""
    parts = [f"{d.name} ({d.sms} SMs{clock})"]
    parts += [f"{name} {bench.versions[name]}" for name in ("torch", "cudnn", "triton") if name in bench.versions]
    return ", ".join([*parts, bench.date])


def can_do(bench: Bench) -> str:
    """The ceilings, in one line."""
    c = bench.ceilings
    if not c:
        return ""
    exp = f"; {c.exp / 1e12:.2f}e12 exp/s by its data sheet" if c.exp else "; exp/s not known"
    return f"in the same run: copy {c.copy / 1e12:.2f} TB/s, matmul {c.matmul / 1e12:.0f} TFLOP/s{exp}"


SHARES = "of roof: if all that can overlap does; of serial: if products and exponentials take turns"


def remarks(bench: Bench) -> list[str]:
    return [*filter(None, [bench.note]), *bench.refused, *bench.missing]


def worst(bench: Bench) -> list[str]:
    """The smallest ratio to each peer over what is long or large: a line for each exercise and head dim or kind."""
    groups: dict[str, list[Row]] = {}
    for row in bench.rows:
        if row.kind == "decode" and row.work >= LARGE:
            page = f" in pages of {row.shape['page']}" if "page" in row.shape else ""
            what = f"{row.exercise}, {row.shape['kv_heads']} KV heads{page}, {LARGE / 1e9} GB or more"
            groups.setdefault(what, []).append(row)
        elif "n" in row.shape and row.shape["n"] >= LONG:
            groups.setdefault(f"{row.exercise}, D={row.shape['d']}, N >= {LONG}", []).append(row)
    out = []
    for what, rows in groups.items():
        others = [p for p in rows[0].columns if p not in LEADING and all(p in row.columns for row in rows)]
        ratios = ", ".join(f"{min(row.ratio(p) for row in rows):.2f} x {p}" for p in others)
        out.append(f"{what}: at least {ratios}")
    return out


def text(bench: Bench) -> str:
    """The whole result for a terminal without colours."""
    parts = [f"{where(bench)}\n{can_do(bench)}\n{SHARES}"] if bench.device else []
    for exercise in bench.measured():
        headers, rows = table(bench, exercise)
        parts.append(f"{title(bench, exercise)}\n{aligned(headers, rows)}")
    return "\n\n".join([*parts, *filter(None, ["\n".join(worst(bench))]), *filter(None, ["\n".join(remarks(bench))])])


def aligned(headers: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Cells under their headers, at the right, in plain text. A header of two words takes two lines."""
    parts = [header.rpartition(" ") for header in headers]
    lines = [[p[0] for p in parts], [p[2] for p in parts], *map(list, rows)]
    widths = [max(map(len, column)) for column in zip(*lines)]
    return "\n".join("  ".join(cell.rjust(width) for cell, width in zip(line, widths)) for line in lines)


def rich(bench: Bench) -> Any:
    """The same in colour."""
    from rich.console import Group
    from rich.text import Text

    parts: list[Any] = [Text(line, "dim") for line in (where(bench), can_do(bench), SHARES) if bench.device]
    for exercise in bench.measured():
        above, head, *lines = aligned(*table(bench, exercise)).split("\n")
        parts += ["", Text(title(bench, exercise), "bold"), Text(f"{above}\n{head}", "bold", no_wrap=True)]
        parts += [Text(line, no_wrap=True, overflow="ignore") for line in lines]
    said = [Text(line, "green") for line in worst(bench)] + [Text(line, "red") for line in remarks(bench)]
    return Group(*parts, "", *said)


# Plots.


@dataclass
class Panel:
    """One small plot: rates over sizes, a line for each column; `roofline` and `serial` are rates too.

    size: what the ticks are.
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
        """What the roofline is called: where bytes are moved it is a copy, and reading alone can be a little faster."""
        return "copy, 1 GiB" if self.unit == "TB/s" else "roofline"


def panels(bench: Bench, exercise: str) -> list[Panel]:
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
    """What the rows of one panel have in common, behind the name of the exercise."""
    if row.kind == "softmax":
        return ""
    if row.kind == "decode":
        page = f", page {row.shape['page']}" if "page" in row.shape else ""
        return f", batch {row.shape['batch']}, {row.shape['kv_heads']} KV heads{page}"
    return f", D={row.shape['d']}, {mask(row)}"


def _short(n: int) -> str:
    return f"{n // 1024}k" if n >= 1024 and n % 1024 == 0 else str(n)


def html(bench: Bench) -> str:
    """The card of a notebook: static, with a plot as SVG and the table folded away."""
    name = " and ".join(bench.exercises)
    state = "measured" if bench.rows else "refused" if bench.refused else "not measured"
    accent = RED if bench.refused else GREEN if bench.rows else GREY
    head = heading(code(f"bench({name})"), f'<b style="color:{accent}">{state}</b>', esc(where(bench)))
    parts = [f'<div style="{MUTED}">{esc(can_do(bench))}</div>'] if bench.rows else []
    parts += [f"<div>{esc(line[:1].upper() + line[1:], 600)}.</div>" for line in remarks(bench)]
    for exercise in bench.measured():
        headers, rows = table(bench, exercise)
        parts.append(f"<div>{esc(title(bench, exercise))}</div>")
        parts.append(f'<div style="margin-top:6px">{drawn(panels(bench, exercise), exercise)}</div>')
        parts.append(details("The table", block(f"{aligned(headers, rows)}\n\n{SHARES}", 12_000)))
    return frame(accent, head, *parts)


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
    for value in nice(top):
        out.append(
            f'<path d="M{LEFT} {y(value):.1f}h{width}" stroke="currentColor" opacity=".12"/>'
            f'<text x="{LEFT - 5}" y="{y(value) + 4:.1f}" text-anchor="end" opacity=".7">{value:g}</text>'
        )
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
        out.append(f'<text x="{LEFT + width + 8}" y="{place + 4:.1f}" fill="{colour}">{esc(name)}</text>')
    return "".join(out)


def _level(y: float, width: float, dash: str) -> str:
    return f'<path d="M{LEFT} {y:.1f}h{width}" stroke="currentColor" stroke-dasharray="{dash}" opacity=".6"/>'


def nice(top: float) -> list[float]:
    """Three to six round numbers up to `top`."""
    unit = 10.0 ** (len(f"{top:.0f}") - 1)
    step = next(s * unit for s in (0.1, 0.2, 0.25, 0.5, 1, 2) if top / (s * unit) <= 6)
    return [step * i for i in range(1, int(top / step) + 1)]


def spread_out(labels: Sequence[tuple[float, str, str]], apart: float = 12) -> list[tuple[float, str, str]]:
    """The labels from the top down, moved so that none covers another; the lowest stays inside the plot."""
    out: list[tuple[float, str, str]] = []
    for place, name, colour in sorted(labels):
        out.append((max(place, out[-1][0] + apart if out else place), name, colour))
    limit = float(PANEL_HEIGHT - BOTTOM)
    for i in range(len(out) - 1, -1, -1):
        out[i] = (min(out[i][0], limit), *out[i][1:])
        limit = out[i][0] - apart
    return out


def plot_bench(result: Bench | str | None = None) -> Figure | Shown:
    """Draw a result beside the recorded one of the H200, or the recorded one alone, with matplotlib.

    result: what `bench` returned; the name of an exercise, for the recorded measurement of it; None for all of them.
    Where nothing was measured (no GPU) the recorded one is drawn alone. Returns the figure, or a sentence where there
    is nothing to draw.
    """
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

    pairs = [pair for name in names for pair in _beside(panels(mine, name), panels(kept, name))]
    across = min(2, len(pairs))
    down = -(-len(pairs) // across)
    figure, axes = plt.subplots(
        down, across, figsize=(7, 0.5 + 2.5 * down), dpi=100, squeeze=False, layout="constrained"
    )
    for ax, (here, there) in zip(axes.flat, pairs):
        _axes(ax, here, there)
    for ax in axes.flat[len(pairs) :]:
        ax.axis("off")
    lines = {label: line for ax in axes.flat for line, label in zip(*ax.get_legend_handles_labels())}
    figure.legend(lines.values(), lines.keys(), loc="outside lower center", ncols=5, frameon=False, fontsize=8)
    device = kept.device.name if kept.device else ""
    measured = [f"here: {mine.device.name}"] if mine.rows and mine.device else []
    figure.suptitle("; ".join([*measured, f"recorded: {device}, {kept.date}"]), fontsize=9)
    plt.close(figure)  # it shows itself once, as the value of its cell
    return figure


def _beside(here: Sequence[Panel], there: Sequence[Panel]) -> list[tuple[Panel | None, Panel | None]]:
    """Panels of the same title together."""
    mine, kept = ({panel.title: panel for panel in found} for found in (here, there))
    return [(mine.get(title), kept.get(title)) for title in dict.fromkeys([*mine, *kept])]


def _axes(ax: Any, here: Panel | None, there: Panel | None) -> None:
    """What was measured here in full lines; what was recorded too if it is alone, else only the course's, in dots."""
    main = here or there
    assert main is not None
    for name, line in main.lines.items():
        thick = 2.2 if name in LEADING else 1.4
        ax.plot(*zip(*line), "o-", color=COLOURS.get(name, GREY), lw=thick, ms=thick + 1.5, label=name)
    if here and there:
        at = {tick: i for i, tick in enumerate(here.ticks)}
        line = [(at[there.ticks[i]], rate) for i, rate in there.lines.get("course", []) if there.ticks[i] in at]
        if line:
            ax.plot(*zip(*line), "o:", color=GREEN, lw=1.2, ms=2.5, label="course, recorded")
    ax.axhline(main.roofline, color="0.35", lw=1, ls="--", label=main.roof)
    if main.serial < 0.99 * main.roofline:
        ax.axhline(main.serial, color="0.35", lw=1, ls=":", label="roofline without overlap")
    ax.set_xticks(range(len(main.ticks)), main.ticks, fontsize=8)
    ax.tick_params(axis="y", labelsize=8)
    ax.set_ylim(bottom=0)
    ax.set_title(main.title, fontsize=9)
    ax.set_ylabel(main.unit, fontsize=8)
    ax.set_xlabel(main.size, fontsize=8)
    ax.spines[["top", "right"]].set_visible(False)
