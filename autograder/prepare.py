"""A case made ready to judge: seeded inputs, the oracle's answers and the bounds. Cached, since a class shares them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import torch

from .compare import FEWEST_FOR_A_MEAN, Expected, expect
from .plain import plain_runs
from .runner.arrays import Stream, as_torch
from .spec import Arguments, Case, Exercise

PUBLIC_SEED = "public"
FEW_RUNS, MANY_RUNS = 6, 24  # of the plain formula: the fewer elements a result has, the more one run is left to luck


@dataclass
class Prepared:
    """One case with its arguments (do not change them in place), dtype and expected outputs."""

    case: Case
    arguments: Arguments
    dtype: np.dtype
    expected: list[Expected]


@lru_cache(maxsize=512)
def prepare(exercise_name: str, index: int, seed: str) -> Prepared:
    """Case number `index` of the exercise, drawn with `seed` (any text)."""
    from .course import exercise_named

    exercise = exercise_named(exercise_name)
    return prepare_case(exercise, exercise.cases[index], seed)


@lru_cache(maxsize=64)
def prepare_compiled(exercise_name: str, seed: str) -> Arguments:
    """The arguments of the launch that the exercise's kernels are compiled for."""
    from .course import exercise_named

    exercise = exercise_named(exercise_name)
    assert exercise.compiled is not None
    return exercise.compiled(_generator(seed, exercise.name, "compiled"))


def prepare_case(exercise: Exercise, case: Case, seed: str) -> Prepared:
    """Draw the inputs of `case` and compute what is expected of them."""
    arguments = case.draw(_generator(seed, exercise.name, case.name))
    dtype = next((a.dtype for a in _arrays(arguments.values()) if a.dtype.kind == "f"), np.dtype(np.float32))
    truth = _run(exercise.oracle, arguments, torch.float64)
    runs = FEW_RUNS if max(t.size for t in truth) >= FEWEST_FOR_A_MEAN else MANY_RUNS
    tensors = {name: as_torch(value) for name, value in arguments.items()}
    plain = plain_runs(lambda: _run(exercise.oracle, tensors, None), runs)
    expected = [
        expect(output, truth[i], [run[i] for run in plain], exercise.tolerance, dtype)
        for i, output in enumerate(exercise.outputs)
    ]
    return Prepared(case, arguments, dtype, expected)


def _generator(*key: str) -> np.random.Generator:
    digest = hashlib.sha256("|".join(key).encode()).digest()
    return np.random.default_rng(int.from_bytes(digest[:16], "little"))


def _run(oracle: Callable[..., Any], arguments: Arguments, dtype: torch.dtype | None) -> list[np.ndarray]:
    result = oracle(**{name: as_torch(value, dtype) for name, value in arguments.items()})
    outputs = result if isinstance(result, tuple) else (result,)
    return [torch.as_tensor(x).numpy() for x in outputs]


def _arrays(values: Any) -> Iterator[np.ndarray]:
    for value in values:
        if isinstance(value, np.ndarray | np.generic):
            yield np.asarray(value)
        elif isinstance(value, Stream):
            yield from _arrays(value.again())
        elif isinstance(value, (list, tuple)):
            yield from _arrays(value)
