"""Memory that an answer holds between its calls."""

import logging
import random
import re
import subprocess
import sys
import threading
from collections import Counter, OrderedDict, deque, namedtuple
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from itertools import repeat
from typing import Any

import numpy as np
import pytest
import torch

from autograder.runner.failure import is_learners
from autograder.runner.meters.held import held_by
from autograder.runner.observe import observe
from autograder.spec.folders import ROOT

BUFFER = np.zeros(1200, np.float32)
TENSOR = torch.zeros(1200)
TABLE = {"rows": [deque([np.ones(600)])]}
SHORT = np.arange(8)
NUMBERS = [float(i) for i in range(200)]
KEPT: list[np.ndarray] = []


@lru_cache
def cached():
    return np.zeros(1200, np.float32)


class Pool:
    buffers = (torch.zeros(1024), bytearray(2000))

    def take(self):
        return self.buffers


def deep():
    return [row for row in TABLE["rows"]]


def generator():
    row = np.zeros(1000)
    while True:
        yield row[0]


RUNNING = generator()
next(RUNNING)
JOURNAL = [(1 << 231) + i for i in range(100)]  # each shorter than 64 bytes
OBJECTS = np.array([np.zeros(600), None], object)
MANY = list(range(20000))
OF_MANY = 160_000 + sum(map(int.__sizeof__, MANY))
FLAT = np.zeros(1200, np.float32).flat
RECORD = np.zeros((), [("row", np.float32, (1200,))])[()]
WALK = np.nditer(np.zeros(1200, np.float32))
VIEW = memoryview(np.zeros(1200, np.float32).tobytes())
LONG_TEXT = "".join(map(chr, range(32, 127))) * 52
WHOLE = int.from_bytes(np.ones(600).tobytes(), sys.byteorder)
PIECES = [WHOLE >> i & (1 << 3900) - 1 for i in range(0, 38400, 3900)]  # each of less than LONG bytes
RANGE = range(WHOLE)
PAIRS = [complex(i) for i in range(200)]
SHORT_LISTS = [[0] * 512 for _ in range(8)]
BLOCKS = [np.zeros(10) for _ in range(100)]
Named = namedtuple("Named", "row", module="triton")
HELD = nullcontext(BUFFER), repeat(np.zeros(600))
NAMED = Named(np.zeros(600))


def outer(x):
    def inner():
        return x

    return inner


@contextmanager
def managed():
    yield


vars(managed)["room"] = np.zeros(600)
NAMED_BUILTINS = {"__builtins__": None, "row": np.zeros(600)}
DTYPE = np.dtype(np.float32, metadata={"row": np.zeros(600)})
OF_THAT_DTYPE = np.zeros(1, DTYPE)


class Renamed:
    room = np.zeros(600)


Renamed.__module__, Renamed.__qualname__ = "copy", "copy"


@pytest.mark.parametrize(
    ("function", "held"),
    [
        (lambda: managed, 4800),
        (lambda: NAMED_BUILTINS, 4800),
        (lambda: DTYPE.metadata, 4800),
        (lambda: OF_THAT_DTYPE[0], 4800),
        (lambda: Renamed.room, 4800),
        (lambda: np.dtype(np.float32), 0),
        (lambda: BUFFER[0], 4800),
        (lambda: TENSOR[0], 4800),
        (lambda: deep(), 4800),
        (lambda: sum(NUMBERS), 200 * 24),
        (lambda kept=bytearray(6000): kept, 6000),  # noqa: B008
        (outer(np.zeros(600)), 4800),
        (lambda: next(RUNNING), 8000),
        (lambda: OBJECTS[0], 4800),
        (lambda: JOURNAL[0], 100 * (1 << 231).__sizeof__()),
        (lambda: MANY, OF_MANY),
        (lambda: NAMED, 4800),
        (lambda at=BUFFER.__getitem__: at(0), 4800),
        (lambda: HELD, 2 * 4800),
        (lambda: FLAT[0], 4800),
        (lambda: RECORD["row"], 4800),
        (lambda: WALK, 4800),
        (lambda: VIEW[0], 4800),
        (lambda: sum(PAIRS), 200 * 32),
        (lambda: SHORT_LISTS[0], 8 * 512 * 8),
        (lambda: LONG_TEXT[0], 4940),
        (lambda: WHOLE, 4800),
        (lambda: PIECES, 4800),
        (lambda: RANGE, 4800),
        (Pool, 4096 + 2000),
        (lambda: Pool().take(), 4096 + 2000),
        (lambda: SHORT + np.float64(1), 0),  # a table, and a library
        (lambda x: torch.softmax(x, dim=0), 0),
    ],
)  # fmt: skip
def test_what_a_function_can_reach_counts(function, held):
    assert held <= held_by(function, is_learners).bytes <= held + 1500 * bool(held)  # and what holds them


class Entry:
    __slots__ = ("before", "number")

    def __init__(self, before, number):
        self.before, self.number = before, number


class Number(int):
    pass


def chain(link, many=1000):
    """Each link holds the one before it."""
    whole = None
    for i in range(many):
        whole = link(whole, 300 + i)
    return whole


def remembered(before, number):
    def told():
        return before, number

    return told


def waits(before, number):
    yield before, number


def begun(before, number):
    waiting = waits(before, number)
    next(waiting)
    return waiting


def marked(before, number):
    kept: Any = Number(number)
    kept.before = before
    return kept


@pytest.mark.parametrize(
    "journal",
    [
        chain(Entry),
        chain(remembered),
        chain(begun),
        chain(marked),
        chain(lambda before, number: frozenset([before, number])),
        chain(lambda before, number: type("Link", (), {"before": before, "number": number}), many=500),
        [f"at {i:04}" for i in range(1000)],
        [1000 + i for i in range(1000)],
        [np.empty((0, i)) for i in range(1000)],
    ],
    ids=["slots", "closures", "generators", "of a number", "frozen sets", "classes", "texts", "numbers", "shapes"],
)
def test_many_small_things_count_whatever_they_are(journal):
    assert held_by(lambda: journal, is_learners).bytes >= 20_000


class Saved(torch.autograd.Function):
    @staticmethod
    def forward(ctx, one, rows):
        ctx.save_for_backward(rows)
        return one.clone()

    @staticmethod
    def backward(ctx, given):
        return given, None


with torch.enable_grad():
    SAVED = Saved.apply(torch.ones(1).requires_grad_(), torch.zeros(1200))
    PRODUCT = 2 * torch.ones(1).requires_grad_()


CONTEXT: ContextVar[Any] = ContextVar("rows")


def unseen(value):
    return held_by(lambda: value, is_learners).unknown


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (CONTEXT, "ContextVar"),
        (torch.zeros(1200).__dlpack__(), "PyCapsule"),
        (SAVED, "SavedBackward"),
        (PRODUCT, "MulBackward0"),
        (torch.zeros(2, 2).to_sparse(), "Tensor"),
        (Decimal(2) ** 5000, "Decimal"),
        (re.compile("a" * 5000), "Pattern"),
        (np.frompyfunc(lambda x: TABLE, 1, 1), "ufunc"),
    ],
    ids=lambda value: value if isinstance(value, str) else type(value).__name__,
)
def test_what_cannot_be_weighed_is_named(value, kind):
    assert kind in unseen(value)


class Own:
    def __init__(self):
        self.rows: list[Any] = [deque(), range(3), iter("ab"), self.read]
        self.table = {"a": OrderedDict(), "b": Counter("ab")}

    def read(self):
        return self.rows


@pytest.mark.parametrize(
    "value",
    [
        *(Own(), Fraction(1, 3), torch.float32, torch.Size([1]), np.exp, np.sum, torch.exp, iter([])),
        *(threading.RLock(), threading.Lock(), logging.getLogger("an answer's")),
        *(random.Random(), np.random.default_rng(0), np.random.RandomState(0), torch.Generator()),
    ],
    ids=lambda value: getattr(value, "__name__", type(value).__name__),
)
def test_what_the_garbage_collector_is_told_of_is_known(value):
    assert not unseen(value)


@pytest.mark.parametrize("make", [random.Random, np.random.default_rng, np.random.RandomState, torch.Generator])
def test_generators_of_random_numbers_hold_as_much_as_their_states(make):
    kept = [make() for _ in range(3)]
    assert 3 * 2500 <= held_by(lambda: kept, is_learners).bytes <= 3 * 5056


def test_what_holds_memory_that_cannot_be_weighed_is_said_of_an_object():
    class Cache:
        def put(self, x):
            self.kept = re.compile("a" * 5000)

    steps = [("put", {"x": np.ones(1, np.float32)})]
    seen = observe(Cache, {"init": {}, "steps": steps, "errors": []}, "torch", once=True)
    assert "keeps: Pattern" in seen.operations


def test_a_cache_counts_from_its_first_use():
    def uses():
        return cached()

    assert held_by(uses, is_learners).bytes == 0
    seen = observe(uses, {}, "numpy", once=True)
    assert seen.counts["peak_bytes"] >= 4800
    assert observe(uses, {}, "numpy", once=True).counts["peak_bytes"] >= 4800  # though nothing is allocated any more


def test_of_an_object_numbers_outside_torch_count_besides_what_torch_has_seen():
    class Cache:
        def __init__(self, n):
            self.rows, self.tensor = [], torch.zeros(n)

        def append(self, x):
            self.rows += x.reshape(-1).tolist()

    x = np.ones((10, 50), np.float32)
    seen = observe(Cache, {"init": {"n": 1200}, "steps": [("append", {"x": x})], "errors": []}, "torch", once=True)
    assert 4800 + 500 * 24 <= seen.counts["peak_bytes"] < 4800 + 500 * 24 + 6000


COMPILED = """
import threading
import torch
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource, compile
from triton.runtime.jit import JITFunction
from autograder.runner.meters.held import held_by
from autograder.runner.failure import is_learners
from kernels.triton_kernels import vector_add_kernel

kernel = JITFunction(vector_add_kernel.fn)
types = {"x_ptr": "*fp32", "y_ptr": "*fp32", "out_ptr": "*fp32", "n": "i32", "TILE": "constexpr"}
compiled = compile(ASTSource(kernel, types, {(4,): 128}), target=GPUTarget("cuda", 90, 32))
kernel.device_caches[0] = {"a launch": compiled}, {}, None, None, None
kernel.launching = threading.RLock()
print(held_by(lambda: kernel, is_learners).unknown or "all")
print(sum(map(len, compiled.asm.values())) > 4096, held_by(kernel, is_learners).bytes)
kernel.rows = torch.zeros(1200)
print(held_by(kernel, is_learners).bytes)
"""


def test_what_a_gpu_runs_of_a_kernel_is_not_held_by_the_answer():
    """In a process of its own: where kernels have been interpreted, none is compiled any more."""
    pytest.importorskip("triton", reason="Triton is not installed on this machine")
    done = subprocess.run([sys.executable, "-c", COMPILED], cwd=ROOT, capture_output=True, text=True)
    assert done.stdout.split() == ["all", "True", "0", "4800"], done.stderr
