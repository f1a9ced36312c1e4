"""A notebook's function as source text that another process can define."""

import math

import torch

from autograder.notebook.check import verdict_of
from autograder.processes.portable import closure

CELL = """
import torch
from torch import Tensor

q = torch.zeros(3)
SCALE, DTYPE = 2, torch.float32


def helper(x: Tensor) -> Tensor:
    q = x * SCALE
    return q


def answer(x: Tensor) -> Tensor:
    return helper(x).to(DTYPE) * math.tau


class Wrapped:
    def __call__(self, x):
        return answer(x)
"""


def cell_namespace(label="<cell>"):
    import linecache

    linecache.cache[label] = (len(CELL), None, CELL.splitlines(keepends=True), label)
    namespace = {"__name__": "__main__", "math": math}
    exec(compile(CELL, label, "exec"), namespace)
    return namespace


def defined(pairs):
    namespace = {"__name__": "elsewhere"}
    for label, source in pairs:
        exec(compile(source, f"<{label}>", "exec"), namespace)
    return namespace


def test_a_cell_s_function_brings_its_helpers_constants_and_modules():
    pairs = closure(cell_namespace()["answer"])
    there = defined(pairs)
    assert torch.allclose(there["answer"](torch.ones(2)), torch.full((2,), 2 * math.tau))
    assert "q" not in there, "a local variable that shares its name with a tensor of the notebook is no need"
    assert dict(pairs)["answer"].count("\n") > dict(pairs)["helper"].count("\n")  # at their own line numbers


def test_a_module_s_function_is_imported():
    assert closure(verdict_of) == [("imports", "from autograder.notebook.check import verdict_of as verdict_of")]
