"""A finite number in the place of -inf: found by which rows err and what they are made of, whatever the number is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from ...spec.exercise import Exercise
from ..prepare import Prepared, prepare
from ..tolerance import absolute_error
from ..verdict import Diagnosis
from .wrong_oracles import RIGHT, calls_of, highest, is_attention, scores

OUTWEIGHS = (
    "a finite number stands for -inf, or is taken from hidden scores: what is hidden outweighs what a row sees where "
    "that is lower still, or nothing"
)
LOW = -80  # what is near e^-80 of another number has no weight beside it in float32
NEAR = 20  # that number: there what is seen and what is hidden have both a weight


@dataclass(frozen=True)
class Rows:
    """Of all rows of a case: the highest score that they see and that is hidden from them, and which are wrong."""

    seen: Tensor
    hidden: Tensor
    wrong: Tensor


def finite_for_hidden(
    exercise: Exercise, seed: str, failed: Sequence[tuple[int, Sequence[np.ndarray]]], passed: Sequence[int]
) -> Diagnosis | None:
    """Whether the wrong rows are those that see nothing and those whose scores are lowest, all made of hidden values.

    Lowest by what they see, as where a number stands for hidden scores, or by how far that lies below what is hidden,
    as where one is taken from these. On ranks the rows of an answer are not looked for.
    """
    cases = [(prepare(exercise.name, index, seed), outputs[0]) for index, outputs in failed]
    right = [prepare(exercise.name, index, seed) for index in passed]
    cases += [(prepared, prepared.expected[0].truth) for prepared in right]
    if exercise.engine.has_ranks or not all(is_attention(exercise, prepared) for prepared, _ in cases):
        return None
    found = [rows for prepared, o in cases if (rows := _rows(prepared, o)) is not None]
    if len(found) < len(cases):
        return None
    seen, hidden, wrong = (torch.cat(parts) for parts in zip(*((r.seen, r.hidden, r.wrong) for r in found)))
    both = torch.isfinite(seen) & torch.isfinite(hidden)  # the others see all, or nothing
    if any(_are_lowest(level[both], wrong[both]) for level in (seen, seen - hidden)):
        return Diagnosis("hidden-outweighs", OUTWEIGHS)
    return None


def _are_lowest(level: Tensor, wrong: Tensor) -> bool:
    """Whether some rows are wrong, all of them far below 0, and none that is right lies below them."""
    if not wrong.any():
        return False
    highest = level[wrong].max()
    return bool(highest < LOW and (level[~wrong] > highest - NEAR).all())


def _rows(prepared: Prepared, o: np.ndarray) -> Rows | None:
    """None if a row of the output that is wrong is not made of values that are hidden from it."""
    expected, levels, beside = prepared.expected[0], [], []
    if o.shape != expected.truth.shape:
        return None
    wrong = (absolute_error(o, expected.truth) > expected.max_bound).any(-1).flatten()
    for call in calls_of(prepared.arguments):
        scale, raw, is_hidden, v = scores(RIGHT, call)
        parts = [(scale * raw).masked_fill(mask, -math.inf) for mask in (is_hidden, ~is_hidden)]
        levels.append(torch.stack([highest(part).flatten() for part in parts]))
        heads = v.reshape(math.prod(v.shape[:-2]), *v.shape[-2:]).numpy()
        beside += [(head, mask) for head in heads for mask in is_hidden.numpy()]
    rows = o.reshape(-1, o.shape[-1]).astype(np.float64)
    for i in wrong.nonzero()[0]:
        values, mask = beside[i]
        if not _is_made_of(rows[i], values[mask], expected.max_bound):
            return None
    seen, hidden = torch.cat(levels, dim=1)
    return Rows(seen, hidden, torch.from_numpy(wrong))


def _is_made_of(row: np.ndarray, values: np.ndarray, bound: float) -> bool:
    """Whether a row of the output, which is not 0, can be a weighted mean of the values."""
    if not len(values) or not row.any() or not np.isfinite(row).all():
        return False
    return bool(((row >= values.min(0) - bound) & (row <= values.max(0) + bound)).all())
