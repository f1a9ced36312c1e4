"""Classic mistakes as runnable code: which of them gives this answer?"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from itertools import compress, product
from typing import Any
from weakref import WeakValueDictionary

import numpy as np

from ...backends import backend_of, function_from
from ...runner.arrays import widened
from ...runner.failure import Failure, Kind
from ...runner.observe import Observation
from ...spec.edits import Mutant
from ...spec.exercise import Exercise
from ..limits.budgets import TILES
from ..prepare import Prepared, prepare
from ..tolerance import absolute_error, is_empty
from ..verdict import Diagnosis

Failed = tuple[int, Sequence[np.ndarray]]  # the number of a case, and the wrong outputs
SIZES = sorted(product((16, 32, 64, 128), repeat=2), key=lambda tiles: tiles[0] != tiles[1])  # of TILES

_observed: WeakValueDictionary[tuple[str, Mutant, int, str], Observation] = WeakValueDictionary()  # while one is kept


def mutate(exercise: Exercise, mutant: Mutant) -> Callable[..., Any]:
    """The solution with the mutant's edit. Raises UserError unless it applies in exactly one place."""
    return function_from(exercise, exercise.with_mistake(mutant), mutant.key)


def matching_mistake(
    exercise: Exercise,
    seed: str,
    failed: Sequence[Failed],
    passed: Sequence[int] = (),
    raised: Sequence[int] = (),
) -> Diagnosis | None:
    """The one mutant whose answers equal the given wrong ones on all failed cases; None when unsure.

    passed: numbers of the cases that are right; a mutant that is wrong on one
    of them is a different mistake (many fail alike, with NaN or 0 everywhere).
    raised: numbers of the cases in which the answer raises. If the first failed case, which the card shows, is one of
    them, the mutant raises there, too; of several mutants it is the one that raises in all of them.
    """
    if not failed:
        return None
    backend = backend_of(exercise)
    backend.compile_ahead(exercise, [exercise.with_mistake(m) for m in exercise.mutants])
    shown = [i for i in raised[:1] if i < failed[0][0]]
    raise_there = backend.each(lambda m: _raises(exercise, seed, m, shown), exercise.mutants)
    mutants = list(compress(exercise.mutants, raise_there))
    found = explaining(exercise, seed, mutants, failed, passed)
    if not found and exercise.engine.is_python and not isinstance(exercise.function, type):
        found = explaining(exercise, seed, mutants, failed, passed, wide=True)
    if len(found) > 1:
        found = [m for m in found if _raises(exercise, seed, m, raised)] or found
    for index, outputs in failed:
        if len(found) > 1:
            found = [m for m in found if _agrees_to_the_end(exercise, m, index, seed, outputs)] or found
    return Diagnosis(found[0].key, found[0].name, found[0].hint) if len(found) == 1 else None


def explaining(
    exercise: Exercise,
    seed: str,
    mutants: Sequence[Mutant],
    failed: Sequence[Failed],
    passed: Sequence[int],
    wide: bool = False,
) -> list[Mutant]:
    """Those of the mutants whose answers equal the wrong ones on all failed cases, and are right on the others.

    wide: they compute in float64, as an answer may: what overflows in float32, or is lost in it, is a number there.
    Side by side are called all mutants on one case, then the few that are left on all other cases. Where an answer
    chooses the sizes of its tiles, a mutant is tried with others than its own too, if it explains the rest.
    """
    left, backend = list(mutants), backend_of(exercise)
    rest = [case for case in failed if not _has_own_tiles(exercise, seed, case[0])] or list(failed)
    free = [case for case in failed if case[0] not in dict(rest)]
    while rest and len(left) > 2:
        left = list(compress(left, backend.each(partial(agrees, exercise, seed, rest.pop(0), wide=wide), left)))

    def explains(m: Mutant) -> bool:
        return all(backend.each(lambda case: agrees(exercise, seed, case, m, wide), rest)) and all(
            backend.each(partial(_is_right, exercise, seed, m, wide), passed)
        )

    found = [m for m in left if explains(m)]
    return [m for m in found if all(_agrees_with_some_tiles(exercise, seed, case, m, wide) for case in free)]


def _has_own_tiles(exercise: Exercise, seed: str, index: int) -> bool:
    """Whether the sizes of the tiles are left to the answer: nothing is given, nor is it the default."""
    given, parameters = prepare(exercise.name, index, seed).arguments, inspect.signature(exercise.function).parameters
    tiles = [parameters[name] for name in TILES if name in parameters]
    return len(tiles) == 2 and all(tile.default is None and tile.name not in given for tile in tiles)


def _agrees_with_some_tiles(exercise: Exercise, seed: str, failed: Failed, mutant: Mutant, wide: bool) -> bool:
    return any(agrees(exercise, seed, failed, mutant, wide, tiles) for tiles in ((), *SIZES))


def _is_right(exercise: Exercise, seed: str, mutant: Mutant, wide: bool, index: int) -> bool:
    """Whether the mutant's values are right on a case, or it raises there."""
    return mutant_outputs(exercise.name, mutant, index, seed, wide) is None


def _raises(exercise: Exercise, seed: str, mutant: Mutant, cases: Sequence[int]) -> bool:
    """Whether the mutant raises in all of the cases."""
    return all(mutant_values(exercise.name, mutant, index, seed) is None for index in cases)


def agrees(
    exercise: Exercise, seed: str, failed: Failed, mutant: Mutant, wide: bool = False, tiles: tuple[int, ...] = ()
) -> bool:
    """Whether the mutant's answer, of its own tiles or of the given ones, equals the wrong one on a failed case."""
    index, outputs = failed
    theirs = mutant_outputs(exercise.name, mutant, index, seed, wide, tiles)
    if theirs is None or len(theirs) != len(outputs):
        return False
    prepared = prepare(exercise.name, index, seed)
    pairs = list(zip(outputs, theirs, strict=True))[: _comparable(prepared, outputs)]
    return all(equal(a, b, prepared, i) for i, (a, b) in enumerate(pairs))


def _agrees_to_the_end(
    exercise: Exercise, mutant: Mutant, index: int, seed: str, outputs: Sequence[np.ndarray]
) -> bool:
    """Whether an object's answers after the first wrong step, for which no bound is known, are the same too."""
    theirs = mutant_outputs(exercise.name, mutant, index, seed) or ()
    return all(a.shape == b.shape and np.allclose(a, b, equal_nan=True) for a, b in zip(outputs, theirs))


def _comparable(prepared: Prepared, outputs: Sequence[np.ndarray]) -> int:
    """How many outputs can be compared: for an object, those up to the first step that went differently."""
    at = 0
    for count in prepared.returns:
        if at >= len(outputs) or outputs[at].size != 1 or int(outputs[at]) != int(prepared.expected[at].truth):
            return at + 1
        at += 1 + count
    return len(outputs)


def equal(a: np.ndarray, b: np.ndarray, prepared: Prepared, i: int, slack: float = 0.0) -> bool:
    """Equal within twice the case's own tolerance, scaled up where the wrong answer is larger than the right one, and
    `slack` more; in a slot that holds nothing anything may stand.
    """
    if a.shape == b.shape == prepared.expected[i].truth.shape:
        a, b = (x[~is_empty(prepared.expected[i])] for x in (a, b))
    if a.shape != b.shape or not np.array_equal(np.isnan(a), np.isnan(b)):
        return False
    bound = prepared.expected[i].max_bound
    scale = largest(b) / max(largest(prepared.expected[i].truth), 1e-30)
    real = ~np.isnan(b)
    return bool((absolute_error(a[real], b[real]) <= 2 * bound * max(1.0, scale) + slack).all())


def largest(x: np.ndarray) -> float:
    """The largest magnitude among the finite elements; 0 if there are none."""
    finite = np.abs(x[np.isfinite(x)])
    return float(finite.max()) if finite.size else 0.0


@lru_cache(maxsize=1024)
def mutant_observation(exercise_name: str, mutant: Mutant, index: int, seed: str) -> Observation:
    """What a call of a mutant on a case does, made once where budgets are what it is about."""
    exercise, prepared = _of_the_course(exercise_name), prepare(exercise_name, index, seed)
    function = mutate(exercise, mutant)
    seen = backend_of(exercise).own_call(exercise, function, prepared.arguments, prepared.case.budget)
    seen = seen if isinstance(seen, Observation) else Observation(failure=Failure(Kind.TIMEOUT, seen))
    _observed[exercise_name, mutant, index, seed] = seen
    return seen


@lru_cache(maxsize=1024)
def mutant_values(
    exercise_name: str, mutant: Mutant, index: int, seed: str, wide: bool = False, tiles: tuple[int, ...] = ()
) -> list[np.ndarray] | None:
    """What the same call returns, of which nothing is measured; None if it raises, or does not end. It is not made
    again where it has been observed.

    wide: with the arguments in float64, and its results rounded as those of an answer are. tiles: the sizes of TILES,
    if they are not its own.
    """
    exercise, prepared = _of_the_course(exercise_name), prepare(exercise_name, index, seed)
    arguments = (widened(prepared.arguments) if wide else prepared.arguments) | dict(zip(TILES, tiles))
    observed = None if wide or tiles else _observed.get((exercise_name, mutant, index, seed))
    seen = observed or backend_of(exercise).values(exercise, mutate(exercise, mutant), arguments, prepared.case.budget)
    if not isinstance(seen, Observation) or seen.outputs is None:
        return None
    if not wide or len(seen.outputs) != len(prepared.expected):
        return seen.outputs
    with np.errstate(over="ignore"):
        pairs = zip(seen.outputs, prepared.expected)
        return [x.astype(e.dtype) if (x.ndim or e.output.is_tensor) and not e.output.exact else x for x, e in pairs]


@lru_cache(maxsize=4096)
def mutant_outputs(
    exercise_name: str, mutant: Mutant, index: int, seed: str, wide: bool = False, tiles: tuple[int, ...] = ()
) -> tuple[np.ndarray, ...] | None:
    """What a mutant returns on a case; None if it raises or is right there. wide, tiles: as for `mutant_values`."""
    from ..cases import judge_value

    values = mutant_values(exercise_name, mutant, index, seed, wide, tiles)
    if values is None or all(c.ok for c in judge_value(values, prepare(exercise_name, index, seed))):
        return None
    return tuple(values)


def _of_the_course(exercise_name: str) -> Exercise:
    from ...spec.catalogue import exercise_named

    return exercise_named(exercise_name)
