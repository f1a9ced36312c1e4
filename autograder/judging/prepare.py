"""A case made ready to judge: seeded inputs, the oracle's answers and the bounds. Cached, since a class shares them."""

from __future__ import annotations

import hashlib
import itertools
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from threading import Lock
from typing import Any

import numpy as np
import torch

from ..runner.arrays import BFLOAT16, Stream, arrays_in, as_torch, is_float, items_of, offset_of
from ..runner.play import Step, play
from ..spec.exercise import Arguments, Case, Exercise, Output
from ..spec.user_error import UserError
from .describe import describe_arguments
from .rounding import plain_runs
from .tolerance import FEWEST_FOR_A_MEAN, Expected, expect

PUBLIC_SEED = "public"
NARROW = {np.dtype(np.float16): torch.float16, BFLOAT16: torch.bfloat16}
_one_prepares: defaultdict[tuple[str, int], Lock] = defaultdict(Lock)
FEW_RUNS, MANY_RUNS = 6, 24  # of the plain formula: the fewer elements a result has, the more one run depends on luck


@dataclass
class Prepared:
    """One case with its arguments (do not change them in place), dtype and expected outputs."""

    case: Case
    arguments: Arguments
    dtype: np.dtype
    expected: list[Expected]
    returns: list[int] = field(default_factory=list)  # for a class: how many values each step returns after its first

    @property
    def steps(self) -> list[Step]:
        """The operations that an object is driven through; empty for a function."""
        return self.arguments["steps"] if self.returns else []

    @cached_property
    def shown(self) -> str:
        """The arguments in one line."""
        return describe_arguments(self.arguments)

    @cached_property
    def copied_bytes(self) -> int:
        """Those of the arguments that lie in memory in another way than a new tensor, of which an answer may make
        contiguous copies. Of what comes one after the other, as a stream or with an object's steps, the most at a time.
        """
        values = self.arguments.values()
        in_turns = [self.steps] if self.returns else [items_of(x) if isinstance(x, Stream) else [x] for x in values]
        return sum(max(map(_bytes_otherwise, items), default=0) for items in in_turns)


def prepare(exercise_name: str, index: int, seed: str) -> Prepared:
    """Case number `index` of the exercise, drawn with `seed` (any text). Raises UserError if it cannot be run here."""
    with _one_prepares[exercise_name, index]:  # those who grade at once come to the same case at the same time
        return _prepared(exercise_name, index, seed)


@lru_cache(maxsize=512)
def _prepared(exercise_name: str, index: int, seed: str) -> Prepared:
    from ..spec.catalogue import exercise_named
    from ..spec.index import not_here

    exercise = exercise_named(exercise_name)
    if not_here(exercise):
        raise UserError(not_here(exercise))
    return prepare_case(exercise, exercise.cases[index], seed)


@lru_cache(maxsize=64)
def prepare_compiled(exercise_name: str, seed: str) -> Arguments:
    """The arguments of the launch that the exercise's kernels are compiled for."""
    from ..spec.catalogue import exercise_named

    exercise = exercise_named(exercise_name)
    assert exercise.compiled is not None
    return exercise.compiled(_generator(seed, exercise.name, "compiled"))


def prepare_case(exercise: Exercise, case: Case, seed: str) -> Prepared:
    """Draw the inputs of `case` and compute what is expected of them."""
    return prepare_arguments(exercise, case, case.draw(_generator(seed, exercise.name, case.key)))


def prepare_arguments(exercise: Exercise, case: Case, arguments: Arguments) -> Prepared:
    """Compute what is expected of the arguments."""
    if isinstance(exercise.function, type):
        arguments = arguments | {"errors": list(exercise.errors)}
    dtype = next((a.dtype for a in arrays_in(arguments) if is_float(a.dtype)), np.dtype(np.float32))
    truth = _run(exercise.oracle, arguments, torch.float64)
    outputs = list(exercise.outputs)
    returns: list[int] = []
    if exercise.engine.has_ranks:
        ranks = range(len(truth) // len(outputs))
        outputs = [replace(x, name=f"rank {rank}: {x.name}") for rank in ranks for x in outputs]
    if isinstance(exercise.function, type):
        outputs, returns = played(exercise, arguments["steps"], truth)
    plain: list[list[np.ndarray]] = []
    if not all(output.exact for output in outputs):
        runs = FEW_RUNS if max(t.size for t in truth) >= FEWEST_FOR_A_MEAN else MANY_RUNS
        narrow = NARROW.get(dtype)
        tensors = {name: as_torch(value, torch.float32 if narrow else None) for name, value in arguments.items()}
        size = exercise.tolerance.known_like
        plain = plain_runs(lambda given: _arrays_of(exercise.oracle, given), tensors, runs, narrow, size)
    expected = [
        expect(output, truth[i], [run[i] for run in plain], exercise.tolerance, dtype)
        for i, output in enumerate(outputs)
    ]
    return Prepared(case, arguments, dtype, expected, returns)


def numbers_in_bfloat16(exercise_name: str, seed: str) -> list[int]:
    """The numbers of the cases that a GPU runs in bfloat16, too: the first and the last in float16 whose arrays have no
    layout of their own. Kernels are compiled anew for each, and what they do in bfloat16 alone shows in the one or the
    other.
    """
    from ..spec.catalogue import exercise_named

    cases = [prepare(exercise_name, number, seed) for number in range(len(exercise_named(exercise_name).cases))]
    narrow = [number for number, case in enumerate(cases) if case.dtype == np.float16 and not case.copied_bytes]
    return [*narrow[:1], *narrow[1:][-1:]]


@lru_cache(maxsize=512)
def rounded_to_bfloat16(exercise_name: str, index: int, seed: str) -> Arguments:
    """The arguments of one of these cases with their float16 arrays in bfloat16."""
    return {
        name: value.astype(BFLOAT16) if isinstance(value, np.ndarray) and value.dtype == np.float16 else value
        for name, value in prepare(exercise_name, index, seed).arguments.items()
    }


def in_bfloat16(exercise_name: str, index: int, seed: str) -> Prepared:
    """The case with these very arguments, by which a call that was begun ahead knows it."""
    rounded = rounded_to_bfloat16(exercise_name, index, seed)
    return replace(_prepared_in_bfloat16(exercise_name, index, seed), arguments=rounded)


@lru_cache(maxsize=512)
def _prepared_in_bfloat16(exercise_name: str, index: int, seed: str) -> Prepared:
    from ..spec.catalogue import exercise_named

    exercise = exercise_named(exercise_name)
    return prepare_arguments(exercise, exercise.cases[index], rounded_to_bfloat16(exercise_name, index, seed))


def played(exercise: Exercise, steps: Sequence[Step], truth: Sequence[np.ndarray]) -> tuple[list[Output], list[int]]:
    """The outputs of all steps in a row; each step's first one says how it went and how many follow."""
    outputs: list[Output] = []
    returns: list[int] = []
    for number, (method, _) in enumerate(steps, 1):
        returns.append(max(int(truth[len(outputs)]), 0))
        outputs.append(Output(f"operation {number}", "int64", exact=True))
        values = exercise.methods[method][: returns[-1]]
        outputs += [replace(value, name=f"operation {number}, {method}: {value.name}") for value in values]
    return outputs, returns


def _bytes_otherwise(value: Any) -> int:
    return sum(array.nbytes for array in arrays_in(value) if _lies_otherwise(array))


def _lies_otherwise(array: np.ndarray) -> bool:
    """Whether an array lies in memory in another way than a new one."""
    return not array.flags.c_contiguous or offset_of(array) > 0


def _generator(*key: str) -> np.random.Generator:
    digest = hashlib.sha256("|".join(key).encode()).digest()
    return np.random.default_rng(int.from_bytes(digest[:16], "little"))


def _run(oracle: Callable[..., Any], arguments: Arguments, dtype: torch.dtype) -> list[np.ndarray]:
    return _arrays_of(oracle, {name: as_torch(value, dtype) for name, value in arguments.items()})


def _arrays_of(oracle: Callable[..., Any], given: Arguments) -> list[np.ndarray]:
    """What an oracle answers. A stream is a list to it, since it may be asked again and watching takes longer."""
    given = {name: items_of(value) if isinstance(value, Stream) else value for name, value in given.items()}
    result = play(oracle, **given) if isinstance(oracle, type) else oracle(**given)
    outputs = result if isinstance(result, (tuple, list)) else (result,)
    if outputs and type(outputs[0]) is tuple:  # of each rank
        outputs = list(itertools.chain.from_iterable(outputs))
    return [torch.as_tensor(x).numpy() for x in outputs]
