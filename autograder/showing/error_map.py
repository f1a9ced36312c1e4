"""Where an answer is wrong: one output's error as a small grid of levels, to be drawn (svg) or printed (text)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..runner.meters.words import counted

if TYPE_CHECKING:
    from ..judging.verdict import CaseResult

# Levels of a cell, from good to bad; 1 to 4 say how many times the tolerance the error is.
WITHIN, INFINITE, NAN = 0, 5, 6
OVER = ("under 10× tolerance", "under 1000× tolerance", "under 10⁶× tolerance", "over 10⁶× tolerance")
LEVELS = ("within tolerance", *OVER, "infinite", "NaN")


@dataclass(frozen=True)
class ErrorMap:
    """The last two axes of one output, at the leading index of its worst element; a vector is one row.

    levels: (R, C) cells, each the worst of `step` (rows, columns) elements. shape, tile and worst count elements.
    exact: only the right value is allowed, so there are no degrees of wrong.
    wrong, total: elements of the whole output. wrong_tiles: one bool per tile, None where there is no tile grid.
    """

    title: str
    levels: np.ndarray
    shape: tuple[int, int]
    step: tuple[int, int]
    worst: tuple[int, int]
    wrong: int
    total: int
    exact: bool
    tile: tuple[int, int] | None
    wrong_tiles: np.ndarray | None

    def sentence(self) -> str:
        """What the picture shows, in words."""
        in_all = " in all" if "[" in self.title else ""
        text = f"{self.wrong:,} of {counted(self.total, 'element')}{in_all} {'is' if self.wrong == 1 else 'are'} wrong"
        if self.wrong_tiles is None or self.tile is None:
            return text
        size = f"{self.tile[0]} x {self.tile[1]}" if self.shape[0] > 1 else str(self.tile[1])
        here = f" of {self.title}" if "[" in self.title else ""
        return f"{text}, in {self.wrong_tiles.sum()} of the {counted(self.wrong_tiles.size, 'tile')} of {size}{here}"


def error_map(case: CaseResult, most: int = 64) -> ErrorMap | None:
    """The map of the worst output, with at most `most` cells per side; None where there is nothing to see.

    That is the case where the values are right, the shape is wrong, or the output is a single number.
    """
    worst = case.worst
    if worst is None or worst.ok or worst.error is None or worst.error.size < 2 or not worst.worst:
        return None
    number = next(i for i, c in enumerate(case.comparisons) if c is worst)
    aligned = case.outputs and len(case.outputs) == len(case.comparisons)  # not so for an object's steps
    got = case.outputs[number] if aligned and case.outputs else worst.error
    allowed = _threshold(worst.max_error, worst.max_bound, worst.mean_bound)
    levels = _levels(worst.error, got, allowed)
    leading, at = worst.worst[:-2], worst.worst[-2:]
    flat = levels[leading]
    grid = flat if flat.ndim == 2 else flat[None, :]
    tile = _tile_of(case, number, (grid.shape[0], grid.shape[1]))
    step = (-(-grid.shape[0] // most), -(-grid.shape[1] // most))
    return ErrorMap(
        title=f"{worst.name}[{', '.join([*map(str, leading), *':' * flat.ndim])}]" if leading else worst.name,
        levels=_pool(grid, step),
        shape=(grid.shape[0], grid.shape[1]),
        step=step,
        worst=(at[0], at[1]) if len(at) == 2 else (0, at[0]),
        wrong=int((levels > WITHIN).sum()),
        total=levels.size,
        exact=allowed == 0,
        tile=tile,
        wrong_tiles=_pool(grid, tile) > WITHIN if tile else None,
    )


def _threshold(max_error: float | None, max_bound: float | None, mean_bound: float | None) -> float:
    """How far off an element may be: the bound of the maximum, or of the mean where only the mean is too large."""
    return (max_bound if (max_error or 0) > (max_bound or 0) else mean_bound) or 0.0


def _levels(error: np.ndarray, got: np.ndarray, allowed: float) -> np.ndarray:
    limits = [allowed, 10 * allowed, 1e3 * allowed, 1e6 * allowed]
    levels = np.searchsorted(limits, error, side="left").astype(np.int8)
    levels[np.isinf(error)] = INFINITE
    if got.shape == error.shape and got.dtype.kind == "f":
        levels[np.isnan(got)] = NAN
    return levels


def _tile_of(case: CaseResult, number: int, shape: tuple[int, int]) -> tuple[int, int] | None:
    """The tile grid over this output; an output with one number per row of the first output is cut like those rows."""
    if case.tile is None:
        return None
    rows, columns = case.tile
    outputs = case.outputs or []
    if number and outputs[number].shape == outputs[0].shape[:-1]:
        rows, columns = 1, rows
    rows, columns = min(rows, shape[0]), min(columns, shape[1])
    return None if (rows, columns) == shape else (rows, columns)


def _pool(grid: np.ndarray, step: tuple[int, int]) -> np.ndarray:
    """The worst level of every block of `step` (rows, columns); the last blocks may be smaller."""
    rows = np.maximum.reduceat(grid, np.arange(0, grid.shape[0], step[0]), axis=0)
    return np.maximum.reduceat(rows, np.arange(0, grid.shape[1], step[1]), axis=1)
