"""Right first: an answer is compared with the fp64 truth before it is timed, and its timed outputs are afterwards.

The rule is that of `judging.tolerance`, here for tensors that stay on the GPU and may be bfloat16:

    max |X - X64|  <= a * max |B - X64| + u          u      = 2 * max  |fl(X64) + 0.3 - 0.3 - X64|
    mean|X - X64|  <= 1.5 * mean|B - X64| + u_mean    u_mean = 2 * mean |fl(X64) + 0.3 - 0.3 - X64|

with B the same formula in the inputs' own dtype, and a = 2 (3 for gradients). The truth for every row would take
too long, so rows or heads are drawn for the comparison once the answer is there; everywhere else no NaN may be left
from the poison that fills fresh memory.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from ...judging.tolerance import bound, rounding_floor
from ...runner.meters.words import counted
from ...spec.exercise import Tolerance
from ..problems.attention import Inputs
from ..problems.peers import Column
from ..problems.sizes import Problem


def first_refusal(column: Column, problem: Problem, device: torch.device, generator: torch.Generator) -> str:
    """Why the column's function is not timed on this problem: wrong on wild or on plain inputs; "" if it is right."""
    inputs = problem.empty(device)
    for wild in (True, False):
        problem.fill(inputs, generator, wild)
        before = {name: x.clone() for name, x in inputs.items()}
        poison(problem, device)
        outputs = column.prepare(problem, inputs)()
        changed = [name for name, x in inputs.items() if not torch.equal(x, before[name])]
        said = f"{' and '.join(changed)} came back changed" if changed else refusal(problem, inputs, outputs)
        if said:
            return f"{said} ({'large scores' if wild else 'random inputs'}, {problem.label})"
    return ""


def refusal(problem: Problem, inputs: Inputs, outputs: Any) -> str:
    """What is wrong with the outputs for these inputs, in a clause; "" if nothing is."""
    got = list(outputs) if isinstance(outputs, (tuple, list)) else [outputs]
    said = _misshapen(problem, got)
    if said:
        return said
    drawing = torch.Generator()
    drawing.seed()  # from the system: nobody can know it in advance
    sample = problem.sample(drawing)
    truths = problem.truth(inputs, sample, torch.float64)
    plains = problem.truth(inputs, sample, problem.dtype)
    for name, factor, x, truth, plain in zip(problem.names, problem.factors, problem.pick(got, sample), truths, plains):
        said = off(name, x, truth, plain, factor)
        if said:
            return said
    return ""


def off(name: str, got: Tensor, truth: Tensor, plain: Tensor, factor: float) -> str:
    """How far `got` is off, and what the rule allows; "" if it is within. truth: float64, all of one shape."""
    error = (got.double() - truth).abs()
    plainly = (plain.double() - truth).abs()
    floor = rounding_floor(truth.to(got.dtype), truth)
    for which, a, of in (("", factor, Tensor.max), (" on average", Tolerance.mean_factor, Tensor.mean)):
        seen, allowed = of(error).item(), bound(a, of(plainly).item(), of(floor).item())
        if not seen <= allowed:
            return f"{name} is off by {seen:.2g}{which}, allowed {allowed:.2g}"
    return ""


def poison(problem: Problem, device: torch.device) -> None:
    """Fill the memory that the outputs will probably get with NaN, so that what is never written shows."""
    made = [torch.full(shape, torch.nan, dtype=dtype, device=device) for shape, dtype in problem.outputs]
    del made


def _misshapen(problem: Problem, got: list[Any]) -> str:
    if len(got) != len(problem.names):
        return f"it returns {counted(len(got), 'tensor')}, not {', '.join(problem.names)}"
    for name, x, (shape, dtype) in zip(problem.names, got, problem.outputs):
        if not isinstance(x, Tensor):
            return f"{name} is not a tensor but a {type(x).__name__}"
        if tuple(x.shape) != shape or x.dtype != dtype:
            found, wanted = (
                f"{tuple(s)} {str(t).removeprefix('torch.')}" for s, t in ((x.shape, x.dtype), (shape, dtype))
            )
            return f"{name} is {found}, not {wanted}"
        wrong = int((~x.isfinite()).sum())
        if wrong:
            return f"{name} has {wrong} entries that are not finite: not written, or not a number"
    return ""
