"""trace(f): how a kernel's tiles move, one frame for every step of a program's loop, as the traffic meter saw it.

For an object that keeps blocks it shows these (see `page_table`).

`traffic(call)` is the meter by itself, for a learner's own experiments.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from simt import cpu

from ..judging.prepare import PUBLIC_SEED, prepare
from ..runner.engines.triton import interpreted
from ..runner.failure import is_learners
from ..runner.meters.traffic import Access, Traffic, install
from ..runner.observe import Observation, observe
from ..showing.markup import Shown
from ..spec.catalogue import exercise_of
from ..spec.exercise import Exercise
from ..spec.user_error import UserError
from .film import Film, filmed, short, stopped
from .listing import Listing


def traffic(call: Callable[[], Any]) -> Traffic | Listing:
    """Call `call` and count the bytes that the kernels it launches load and store; for CUDA kernels per line.

    Raises UserError where Triton kernels are not interpreted, since nothing can be counted there.
    """
    with cpu.watch() as report:
        meter = _traffic(call)
    if report.kernels:
        return Listing(report)
    if meter is None:
        _interpreter_or_mistake("traffic")
    assert meter is not None
    return meter


def _traffic(call: Callable[[], Any]) -> Traffic | None:
    """What the meter of Triton's interpreter counts; None where the interpreter does not run."""
    try:
        watched = interpreted() and install()
    except ImportError:
        watched = False
    if not watched:
        call()
        return None
    with Traffic(is_learners) as meter:
        call()
    return meter


def trace(function: Callable[..., Any], case: int | str = 1, launch: int = 1) -> Shown | Listing:
    """Run your kernel on a case and show its tiles of the first head as they are read and written.

    case: its number, as the card counts them, or its key, which stays the same when the exercise gets another case.
    launch: which one, counted from 1, where a call makes several. Where keys and values lie in blocks, the picture has
    the keys in their order, the entries of the block table, and the pools block by block. For a CUDA kernel it shows
    its lines, and what each of them moved; for a class that keeps blocks, the block tables and the pool after every
    operation of the case.

    Raises TypeError if `function` is neither, LookupError if no exercise has its name, and UserError if the exercise
    has no kernels or blocks, the case does not exist, or kernels are not interpreted here.
    """
    from .filmstrip import strip
    from .page_strip import page_strip
    from .page_table import page_film

    exercise, number = _chosen(function, case)
    if launch != 1 and not exercise.engine.launches_triton:
        raise UserError(f"one launch of a Triton kernel can be chosen; {exercise.name} is shown as a whole")
    if isinstance(exercise.function, type):
        return page_strip(page_film(exercise, function, number))
    if not exercise.engine.is_python:
        return listed(function, number)
    return strip(film(function, number, launch))


def listed(function: Callable[..., Any], case: int = 1) -> Listing:
    """A CUDA kernel's lines and what each of them moved on a case."""
    exercise, case = _chosen(function, case)
    with cpu.watch() as report:
        seen = observe(function, prepare(exercise.name, case - 1, PUBLIC_SEED).arguments, "cuda", once=True)
    _went_well(exercise, seen)
    return Listing(report)


def film(function: Callable[..., Any], case: int = 1, launch: int = 1) -> Film:
    """The recording that `trace` shows."""
    exercise, case = _chosen(function, case)
    _interpreter_or_mistake("trace")
    if not exercise.engine.launches_triton:
        raise UserError(f"{exercise.name} launches no kernel, so there are no tiles to watch")
    arguments = prepare(exercise.name, case - 1, PUBLIC_SEED).arguments
    launches: dict[int, list[Access]] = {}
    with Traffic(is_learners, lambda access: launches.setdefault(meter.launches, []).append(access)) as meter:
        seen = observe(function, arguments, "triton", once=True)
    _went_well(exercise, seen)
    numbers = sorted(launches)  # a launch that touches nothing has nothing to show
    if launch not in range(1, max(1, len(numbers)) + 1):
        raise UserError(
            f"case {case} has no launch {launch!r} of {exercise.name}: ask for one from 1 to {max(1, len(numbers))}"
        )
    accesses = launches[numbers[launch - 1]] if numbers else []
    is_paged = any(short(access.tensor.name) == "tables" for access in accesses)
    found = filmed(exercise.name, accesses, arguments.get("tables") if is_paged else None)
    found.case, found.launch, found.kernels = case, launch, [launches[n][0].kernel for n in numbers]
    if not found.frames:
        raise UserError(
            f"{exercise.name} touches no tile of the first head in case {case}, so there is nothing to draw; ask for "
            "another case, or let traffic(...) count what a call of your own moves"
        )
    return found


def _chosen(function: Callable[..., Any], case: int | str) -> tuple[Exercise, int]:
    """The exercise, and the number of its case."""
    exercise = exercise_of("trace", function, example="flash_attention")
    keys = [each.key for each in exercise.cases]
    if case in keys:
        return exercise, keys.index(case) + 1
    if isinstance(case, int) and 1 <= case <= len(keys):
        return exercise, case
    raise UserError(
        f"{exercise.name} has {len(keys)} cases: ask for 1 to {len(keys)} or {', '.join(keys)}, not {case!r}"
    )


def _went_well(exercise: Exercise, seen: Observation) -> None:
    if seen.failure:
        raise UserError(stopped(exercise.name, seen.failure))


def _interpreter_or_mistake(verb: str) -> None:
    try:
        watched = interpreted() and install()
    except ImportError:
        raise UserError(
            f"{verb} needs Triton, which is not installed here; `tilewise doctor` says what to do"
        ) from None
    if not watched:
        raise UserError(
            f"{verb} watches Triton's interpreter, and kernels are compiled in this session: start another one with "
            "the environment variable TRITON_INTERPRET=1"
        )
