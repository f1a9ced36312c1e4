"""Budgets: what a call used, against what its exercise allows of it."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import Any

from ...runner.arrays import BFLOAT16
from ...runner.meters import METERS, Meter
from ...runner.meters.words import amount, in_words
from ...runner.observe import Observation
from ...spec.exercise import Arguments, Bound, Exercise
from ..prepare import Prepared
from ..verdict import OverBudget, quoted


def measured_counts(exercise: Exercise, prepared: Prepared, seen: Observation) -> dict[str, Any]:
    """What was counted and, where the exercise bounds it, what was allowed; "uncounted": what is bounded and was not
    counted, since a meter is not there (of an interpreter of Triton that is not known, or on a GPU). Not what a call in
    bfloat16 does not count, since the same case in float16 does.
    """
    counts: dict[str, Any] = {}
    for meter in METERS:
        allowed = _allowed(exercise, prepared, meter, seen)
        if meter.name in seen.counts and not (meter.is_quiet and allowed is None):
            counts[meter.name] = seen.counts[meter.name]
            counts |= {} if allowed is None else {f"{meter.name}_allowed": allowed}
        elif allowed is not None and prepared.dtype != BFLOAT16:
            counts.setdefault("uncounted", []).append(meter.label)
    return counts


def _allowed(exercise: Exercise, prepared: Prepared, meter: Meter, seen: Observation) -> int | None:
    """How much of it this call may use, None where there is no bound, or it hangs on what is left to the function and
    does not show.
    """
    bound: Bound | None = getattr(exercise.budget, meter.bound)
    if bound is None or not (meter.everywhere or bound.everywhere or prepared.case.budget):
        return None
    arguments = exercise.with_defaults(prepared.arguments)
    try:
        allowed = bound.most(arguments)
    except KeyError as unsaid:
        if prepared.case.budget:
            raise
        sizes = _tiles_of_its_own(exercise, arguments, seen) if unsaid.args[0] in TILES else []
        if not sizes:
            return None
        allowed = max(bound.most(arguments | tiles) for tiles in sizes)
    if prepared.case.budget or meter.kind != "memory":
        return allowed
    return allowed + 2 * prepared.copied_bytes + exercise.engine.slack


TILES = ("tile_m", "tile_n")
SIDES = {16, 32, 64, 128, 256}  # that a tile may have


def _tiles_of_its_own(exercise: Exercise, arguments: Arguments, seen: Observation) -> list[Arguments]:
    """The sizes that tiles may have which are left to the function, as its products, loads and programs show.

    A product is one of a tile of queries, a tile of keys, and the d numbers of a row. A tile may be multiplied in
    halves, which shows in the number of programs.
    """
    width = arguments["q"].shape[-1]
    sides = {side for product in seen.multiplied if width in product for side in _without(width, product)}
    programs = exercise.budget.programs
    sides |= {2 * side for side in sides if programs}
    sizes = [dict(zip(TILES, pair)) for pair in itertools.product(sides & SIDES, repeat=2)]
    sizes = [tiles for tiles in sizes if max(tiles.values()) * width <= seen.counts.get("widest_access", 0)]
    started = seen.counts.get("programs", 0)
    if not programs:
        return sizes
    given = [(tiles, arguments | tiles) for tiles in sizes]
    return [tiles for tiles, a in given if programs.at_least(a) <= started <= programs.most(a)]


def _without(width: int, product: Sequence[int]) -> list[int]:
    sides = list(product)
    sides.remove(width)
    return sides


def over_budget(exercise: Exercise, prepared: Prepared, seen: Observation, source: str) -> Iterable[OverBudget]:
    """The budgets that a call broke, one judgement for each kind of meter."""
    kinds: set[str] = set()  # that are broken
    arguments = exercise.with_defaults(prepared.arguments)
    bounded = [meter for meter in METERS if getattr(exercise.budget, meter.bound) is not None]
    for kind in dict.fromkeys(meter.kind for meter in bounded):
        broken = []
        for meter in (meter for meter in bounded if meter.kind == kind and kinds.isdisjoint(meter.follows)):
            count, allowed = seen.counts.get(meter.name), _allowed(exercise, prepared, meter, seen)
            if count is None and allowed is not None and exercise.engine.always_counts and not seen.failure:
                yield OverBudget(kind, f"keeps its {meter.label} from being counted", 1, 0)
            elif count is not None and allowed is not None:
                bound: Bound = getattr(exercise.budget, meter.bound)
                if bound.exactly and count != allowed:
                    broken.append((meter, count, allowed, "wanted are exactly"))
                elif not bound.exactly and meter.is_broken(count, allowed):
                    broken.append((meter, count, allowed, meter.bounded))
                elif prepared.case.budget and count < (least := bound.at_least(arguments)):
                    broken.append((meter, count, least, "at least"))
        if broken:
            kinds.add(kind)
            formulas = exercise.budget.formulas(meter for meter, *_ in broken)
            said = ", ".join(
                _over(*found) + (f" ({formula})" if formula else "") for found, formula in zip(broken, formulas)
            )
            where = quoted(source, seen.lines[broken[0][0].name])
            used, most = sum(n for _, n, *_ in broken), sum(most for _, _, most, _ in broken)
            yield OverBudget(kind, said, used, most, *where)


def _over(meter: Meter, count: int, allowed: int, bounded: str) -> str:
    """ "loaded 812 B, allowed 400 B", to the last byte where the rounded amounts would be alike."""
    pair = [amount(meter, n) for n in (count, allowed)]
    if pair[0] != pair[1]:
        return f"{in_words(meter, meter.over, count)}, {bounded} {pair[1]}"
    return f"{meter.over.format(f'{count:,} B')}, {bounded} {allowed:,} B"
