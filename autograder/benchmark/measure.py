"""bench(f): is it right, and then how fast, beside the course's own and PyTorch's, in one run."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import torch

from ..spec.user_error import UserError
from .problems.peers import Column, judged, peers
from .problems.sizes import MEASURED, Problem, course_function
from .result import Row
from .shown import Bench
from .timing.clock import Clock, GpuClock, Timing, interleaved
from .timing.gate import first_refusal
from .timing.roofline import MARGIN, Ceilings, Device, ceilings, this_device, versions

NO_GPU = (
    "bench measures time, which takes an NVIDIA GPU, and torch finds none here: "
    "run this on a machine with one; check(f) judges everything else without"
)
OLD_GPU = "bench measures in bfloat16, which takes a GPU of compute capability 8.0 (Ampere) or newer; this one has {}"
INTERPRETED = (
    "Triton's interpreter is on (TRITON_INTERPRET=1), so that nothing would run on the GPU: "
    "unset it, restart the kernel, and run this again"
)

OWNERS = {"yours": "your", "course": "the course's"}

Say = Callable[[str], None]


@dataclass
class Machine:
    """Where the measuring is done: the clock and the ceilings, which are measured once per run."""

    clock: Clock
    device: Device
    ceilings: Ceilings
    peers: Callable[[Problem], list[Column]] = peers


def bench(function: Callable[..., Any]) -> Bench:
    """Measure your `function` beside the course's and PyTorch's on a GPU; the result displays as a plot and a table.

    Wrong answers are refused and not timed. Without a GPU the result says in one sentence what is missing.
    Raises TypeError if it is not a function, and LookupError if its speed is not measured.
    """
    name = measured_name(function)
    note = why_not()
    if note:
        return Bench([name], note=note)
    return measure([(name, function)], here(), f"bench({name})")


def measured_name(function: Any) -> str:
    """The name of a function that `bench` takes. Raises TypeError and LookupError where it does not."""
    if not callable(function) or not hasattr(function, "__name__"):
        raise TypeError(f"bench() takes the function itself, as in bench(softmax); got {type(function).__name__}")
    name = str(function.__name__)
    if name not in MEASURED:
        raise LookupError(f"{name!r} is no exercise whose speed is measured; those are: {', '.join(MEASURED)}")
    return name


def why_not() -> str:
    """What prevents measuring on this machine, in one sentence; "" if nothing does."""
    if not torch.cuda.is_available():
        return NO_GPU
    major, minor = torch.cuda.get_device_capability()
    if major < 8:
        return OLD_GPU.format(f"{major}.{minor}")
    return INTERPRETED if os.environ.get("TRITON_INTERPRET") == "1" else ""


def here() -> Machine:
    """The current CUDA device."""
    clock, device = GpuClock(), this_device()
    return Machine(clock, device, ceilings(clock, device))


def measure(
    functions: Sequence[tuple[str, Callable[..., Any]]],
    machine: Machine,
    command: str,
    say: Say = lambda line: None,
    save: Path | None = None,
) -> Bench:
    """Measure functions by the names of their exercises. `say` is called with one line per step.

    save: where the JSON is written, again after every exercise, so that an interrupted run leaves what it has found.
    """
    names = list(dict.fromkeys(name for name, _ in functions))
    found = Bench(names, [], machine.device, machine.ceilings, versions(), command, date.today().isoformat())
    for name, function in functions:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "cuDNN Attention defaults to a non-deterministic")  # a peer's own affair
            _one(name, function, machine, found, say)
        if save:
            found.save(save)
    return found


def _one(name: str, function: Callable[..., Any], machine: Machine, found: Bench, say: Say) -> None:
    """Add the rows of one exercise to `found`, or why there are none."""
    course = course_function(name)
    answers = [judged("course", function)] if function is course else [judged("yours", function)]
    if course and function is not course:
        answers.append(judged("course", course))
    leading, clock = answers[0], machine.clock
    generator = torch.Generator(clock.device)
    generator.seed()
    say(f"{name}: is it right?")
    problems = [p for p in MEASURED[name].problems if _fits(name, p, machine, found)]
    for column in tuple(answers):
        said = _first_wrong(column, problems, clock, generator)
        if said:
            found.refused.append(_sentence(name, column, said))
            answers.remove(column)
    if leading not in answers:
        return
    for problem in problems:
        columns = answers + _usable(name, machine.peers(problem), problem, clock, generator, found)
        timings, refused = interleaved(clock, problem, columns, generator)
        for column in tuple(answers):
            said = refused.get(column.name) or _too_fast(problem, timings, column.name, machine.ceilings)
            if not said:
                continue
            found.refused.append(_sentence(name, column, said))
            if column is leading:
                found.rows = [row for row in found.rows if row.exercise != name]
                return
            answers.remove(column)
            del timings[column.name]
        found.rows.append(_row(name, problem, timings, machine.ceilings))
        say(f"{name}: {problem.label}: {_rates(found.rows[-1])}")


def _first_wrong(column: Column, problems: Sequence[Problem], clock: Clock, generator: torch.Generator) -> str:
    for problem in sorted(problems, key=lambda p: p.work):
        try:
            said = first_refusal(column, problem, clock.device, generator)
        except Exception as error:
            _still_alive(clock, error)
            first = (str(error).strip().splitlines() or [""])[0]
            said = f"it raises {type(error).__name__}: {first} ({problem.label})"
        if said:
            return said
    return ""


def _usable(
    name: str, columns: Sequence[Column], problem: Problem, clock: Clock, generator: torch.Generator, found: Bench
) -> list[Column]:
    """The peers that this installation and device have, each called once, which makes cuDNN's plan for the shape."""
    usable, inputs = [], problem.empty(clock.device)
    problem.fill(inputs, generator)
    for column in columns:
        try:
            with column.around():
                column.prepare(problem, inputs)()
            usable.append(column)
        except RuntimeError as error:
            _still_alive(clock, error)
            found.missing.append(f"{name}: {column.name} does not run {problem.label}")
    return usable


def _still_alive(clock: Clock, error: Exception) -> None:
    """Raises UserError if the error has left the device unusable, as an access outside all memory does."""
    if clock.device.type != "cuda":
        return
    try:
        torch.cuda.synchronize()
    except RuntimeError:
        said = "a kernel has left the GPU unusable (it read or wrote outside its tensors): restart this process"
        raise UserError(said) from error


def _fits(name: str, problem: Problem, machine: Machine, found: Bench) -> bool:
    """Whether the device has the memory: inputs, outputs and copies of them, and the truth of some rows."""
    largest = max(x.nbytes for x in problem.empty(torch.device("meta")).values())
    fits = 16 * largest + (4 << 30) < machine.device.memory_gib * 2**30 or machine.clock.device.type != "cuda"
    if not fits:
        found.missing.append(f"{name}: {problem.label} does not fit into the memory of this GPU")
    return fits


def _too_fast(problem: Problem, timings: dict[str, Timing], column: str, ceilings: Ceilings) -> str:
    """Why a result is impossible: it exceeds the ceiling by more than noise. A copy of the same size may raise that."""
    highest = ceilings.highest(problem)
    if "copy" in timings:
        highest = max(highest, problem.work / timings["copy"].low * 1e3)
    rate = problem.work / timings[column].ms * 1e3
    if rate <= MARGIN * highest:
        return ""
    digits = 1 if problem.unit == "TB/s" else 0
    return (
        f"{rate / 1e12:.{digits}f} {problem.unit} is above what this device can do ({highest / 1e12:.{digits}f}): "
        f"the work was not done, or it was done elsewhere ({problem.label})"
    )


def _sentence(name: str, column: Column, said: str) -> str:
    return f"{OWNERS[column.name]} {name} is refused: {said}"


def _row(name: str, problem: Problem, timings: dict[str, Timing], ceilings: Ceilings) -> Row:
    dtype = str(problem.dtype).removeprefix("torch.")
    roofline, serial = ceilings.overlapped(problem), ceilings.serial(problem)
    shape: dict[str, int | bool] = dict(problem.shape)
    return Row(
        name, problem.kind, problem.label, shape, dtype, problem.unit, problem.work, roofline, serial, dict(timings)
    )


def _rates(row: Row) -> str:
    digits = 2 if row.unit == "TB/s" else 0
    return ", ".join(f"{name} {row.rate(name):.{digits}f}" for name in row.columns) + f" {row.unit}"
