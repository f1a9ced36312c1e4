"""Names that libraries' objects and the grader's own have: an answer's class of such a name does not license it.

`class Names: ctypes = None` makes `ctypes` an attribute of the answer's too, and an array's `ctypes` leads to all of
Python. So all that answers can get hold of is asked here what it has.
"""

from __future__ import annotations

import ast
import contextlib
import dis
import importlib
import itertools
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import numpy as np
import torch

from ... import runner
from ...runner.arrays import Earlier, Stream
from ...runner.ranks.distributed import P2POp, Work
from ...spec import interpreter
from .allowed import MODULES
from .libraries import words

HARMLESS = words("_buffers _denominator _token name new push result")  # and liked by answers
HANDED = ("arrays.py", "interpreter/*.py", "ranks/*.py")  # of the runner, whose objects answers get hold of
KINDS = (  # of objects that have no name in what answers may take
    *("torch.autograd.function BackwardCFunction", "triton.runtime.jit JITFunction", "triton.compiler CompiledKernel"),
    *(
        "triton.runtime.interpreter InterpretedFunction",
        "triton.runtime.autotuner Autotuner",
        "builtins AttributeError",
    ),
)
UNSEEN = ("autograder", "matplotlib", "matplotlib.pyplot", "sys")  # not there where answers are run, or watched already


@cache
def of_others() -> frozenset[str]:
    """Attributes of libraries' objects, and of those of the grader's that answers are handed, with private ones."""
    interpreter.choose()
    found = frozenset[str]()
    for thing in itertools.chain(_values(), _members(), (Earlier, Stream, P2POp, Work)):
        found |= {*dir(thing), *_written_by(thing if isinstance(thing, type) else type(thing))}
    for path in (path for pattern in HANDED for path in Path(runner.__path__[0]).glob(pattern)):
        attributes = (node.attr for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Attribute))
        found |= {name for name in attributes if name.startswith("_")}
    return found - HARMLESS


def _values() -> Iterator[Any]:
    """Objects of those classes that have no name in a library, or one that answers do not use."""
    x, array = torch.ones(2, requires_grad=True), np.zeros(2)
    yield from (x, (x * x).grad_fn, torch.Generator(), x.detach().untyped_storage(), array, array.flat, array.dtype)
    yield from (array.data, array.ctypes, np.exp, np.float32(0), np.random.default_rng(0).bit_generator)

    def generator() -> Iterator[int]:
        yield 1

    async def coroutine() -> None:
        """Never awaited."""

    waiting = coroutine()
    waiting.close()
    yield from (generator, generator(), generator.__code__, waiting, len, "".join, object, type)
    try:
        raise KeyError
    except KeyError as error:
        if error.__traceback__:
            yield from (error, error.__traceback__, error.__traceback__.tb_frame)


def _members() -> Iterator[Any]:
    """What answers may take from libraries."""
    allowed = ((module, name) for module, names in MODULES.items() for name in names)
    for module, name in itertools.chain(allowed, (kind.split() for kind in KINDS)):
        with contextlib.suppress(ImportError, AttributeError):
            found = None if module in UNSEEN else getattr(importlib.import_module(module), name)
            if not isinstance(found, ModuleType):
                yield found


def _written_by(kind: type) -> Iterator[str]:
    """The attributes that the methods of a class, and of those above it, give to objects."""
    for method in (method for above in kind.__mro__ for method in vars(above).values()):
        function = getattr(method, "__func__", method)
        if isinstance(function, FunctionType):
            yield from (step.argval for step in dis.get_instructions(function) if step.opname == "STORE_ATTR")
