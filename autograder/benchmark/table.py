"""A measurement as tables of text, for the terminal and below the plots."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from ..showing.markup import (
    AMBER,
    BLUE,
    GREEN,
    GREY,
    RED,
    VIOLET,
)
from .result import LEADING, Measurement, Row

if TYPE_CHECKING:
    pass

COLOURS = {
    "yours": BLUE, "course": GREEN, "contiguous": RED, "cuDNN": AMBER, "flash": VIOLET, "copy": GREY, "torch": AMBER
}  # fmt: skip
LONG, LARGE = 4096, 0.5e9  # tokens, or bytes of a cache, from which on `worst` counts


def table(bench: Measurement, exercise: str) -> tuple[list[str], list[list[str]]]:
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


def title(bench: Measurement, exercise: str) -> str:
    row = bench.of(exercise)[0]
    return f"{exercise}: {row.kind}, {row.dtype}, {row.unit}"


def where(bench: Measurement) -> str:
    """The device, the versions and the day, in one line."""
    if not bench.device:
        return ""
    d = bench.device
    clock = f" at {d.clock_ghz:.2f} GHz" if d.clock_ghz else ""
    parts = [f"{d.name} ({d.sms} SMs{clock})"]
    parts += [f"{name} {bench.versions[name]}" for name in ("torch", "cudnn", "triton") if name in bench.versions]
    return ", ".join([*parts, bench.date])


def can_do(bench: Measurement) -> str:
    """The ceilings, in one line."""
    c = bench.ceilings
    if not c:
        return ""
    exp = f"; {c.exp / 1e12:.2f}e12 exp/s by its data sheet" if c.exp else "; exp/s not known"
    return f"in the same run: copy {c.copy / 1e12:.2f} TB/s, matmul {c.matmul / 1e12:.0f} TFLOP/s{exp}"


SHARES = "of roof: if all that can overlap does; of serial: if products and exponentials take turns"


def remarks(bench: Measurement) -> list[str]:
    return [*filter(None, [bench.note]), *bench.refused, *bench.missing]


def worst(bench: Measurement) -> list[str]:
    """The smallest ratio to each peer over long or large problems: a line per exercise and head dim or kind."""
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


def text(bench: Measurement) -> str:
    """The whole result for a terminal without colours."""
    parts = [f"{where(bench)}\n{can_do(bench)}\n{SHARES}"] if bench.device else []
    for exercise in bench.measured():
        headers, rows = table(bench, exercise)
        parts.append(f"{title(bench, exercise)}\n{aligned(headers, rows)}")
    return "\n\n".join([*parts, *filter(None, ["\n".join(worst(bench))]), *filter(None, ["\n".join(remarks(bench))])])


def aligned(headers: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Cells under their headers, right-aligned, in plain text. A header of two words takes two lines."""
    parts = [header.rpartition(" ") for header in headers]
    lines = [[p[0] for p in parts], [p[2] for p in parts], *map(list, rows)]
    widths = [max(map(len, column)) for column in zip(*lines)]
    return "\n".join("  ".join(cell.rjust(width) for cell, width in zip(line, widths)) for line in lines)


def rich(bench: Measurement) -> Any:
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
