"""A CUDA kernel's lines beside what each of them moved: what `trace` and `traffic` show."""

from __future__ import annotations

from dataclasses import dataclass

from simt.counts import Line, Report

from ..runner.meters.words import in_bytes
from ..showing.markup import AMBER, BLUE, MONO, MUTED, esc, frame, heading, word

COLUMNS = ("main memory", "sectors", "shared passes")
LEGEND = (
    "main memory: bytes that the threads asked for. sectors: pieces of 32 bytes that the requests of warps touched. "
    "shared passes: over the banks of shared memory. In brackets, where it is fewer: how few would have done, if what "
    "a warp asks for lay side by side and began with a sector."
)


@dataclass(repr=False)
class Listing:
    """What the instruments saw of one call, per line. It prints as a table, and in a notebook as annotated code.

    report: the counts. loads, stores: bytes of main memory.
    """

    report: Report

    @property
    def loads(self) -> int:
        return self.report.total.loaded

    @property
    def stores(self) -> int:
        return self.report.total.stored

    @property
    def sectors(self) -> int:
        """32-byte sectors of main memory."""
        return self.report.total.sectors

    @property
    def conflicts(self) -> int:
        """Passes over the banks of shared memory beyond those needed."""
        return self.report.total.conflicts

    def __repr__(self) -> str:
        return "\n".join(part for kernel in self.report.texts for part in (self._title(kernel), *self._rows(kernel)))

    def _repr_html_(self) -> str:
        return "".join(self._page(kernel) for kernel in self.report.texts)

    def _title(self, kernel: str) -> str:
        times = self.report.kernels.count(kernel)
        total = sum((line for (name, _), line in self.report.lines.items() if name == kernel), Line())
        launched = "launched once" if times == 1 else f"launched {times} times"
        return f"{kernel}, {launched}: {', '.join(filter(None, _said(total)))}"

    def _rows(self, kernel: str) -> list[str]:
        lines = self.report.texts[kernel].splitlines()
        rows = [("line", *COLUMNS, "")]
        for number, text in enumerate(lines, 1):
            if (kernel, number) in self.report.lines:
                rows.append((str(number), *_cells(self.report.lines[kernel, number]), text.strip()[:90]))
        widths = [max(len(row[i]) for row in rows) for i in range(4)]
        return ["  ".join([*(c.rjust(w) for c, w in zip(row, widths)), row[4]]).rstrip() for row in rows]

    def _page(self, kernel: str) -> str:
        lines = self.report.texts[kernel].rstrip().splitlines()
        right = "text-align:right;vertical-align:top;padding:0 8px 0 0"
        head = "".join(f'<td style="{right};{MUTED};white-space:normal">{c}</td>' for c in ("", *COLUMNS))
        body = f"<tr>{head}<td></td></tr>"
        for number, text in enumerate(lines, 1):
            seen = self.report.lines.get((kernel, number))
            cells = _cells(seen) if seen else ("", "", "")
            wasteful = seen is not None and (seen.wasted or seen.conflicts)
            edge = AMBER if wasteful else BLUE if seen else "transparent"
            counts = "".join(f'<td style="{right};white-space:nowrap">{esc(c)}</td>' for c in cells)
            body += (
                f'<tr style="background:none"><td style="{right};{MUTED}">{number}</td>{counts}{_code(text, edge)}</tr>'
            )
        table = f'<table style="{MONO};border-collapse:collapse;margin:4px 0;font-size:.85em">{body}</table>'
        legend = f'<div style="{MUTED};font-size:.9em">{LEGEND}</div>'
        title, _, rest = self._title(kernel).partition(", ")
        scrolled = f'<div style="overflow-x:auto">{table}</div>'
        return frame(BLUE, heading(word(title, BLUE), esc(rest)), scrolled, legend, label=f"lines of {title}")


def _code(text: str, edge: str) -> str:
    """A line of code, which goes on below itself where the page is narrow, behind its own indentation."""
    behind = len(text) - len(text.lstrip()) + 4
    look = f"white-space:pre-wrap;overflow-wrap:anywhere;border-left:3px solid {edge};text-align:left;max-width:none"
    hanging = f"padding:0 0 0 calc({behind}ch + 8px);text-indent:-4ch"
    return f'<td style="{look};{hanging}">{esc(text.strip(), 300)}</td>'


def _cells(line: Line) -> tuple[str, str, str]:
    return (
        in_bytes(line.moved) if line.moved else "",
        _of(line.sectors, line.least_sectors) if line.sectors else "",
        _of(line.wavefronts, line.least_wavefronts) if line.wavefronts else "",
    )


def _of(n: int, least: int) -> str:
    return f"{n:,}" if n <= least else f"{n:,} ({least:,})"


def _said(total: Line) -> tuple[str, str, str]:
    return (
        f"{in_bytes(total.loaded)} loaded, {in_bytes(total.stored)} stored",
        f"{_of(total.sectors, total.least_sectors)} sectors",
        f"{_of(total.wavefronts, total.least_wavefronts)} shared passes" if total.wavefronts else "",
    )
