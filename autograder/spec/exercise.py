"""What an exercise is: plain data, no I/O. The checker, the grader, the builder and the proof all read these.

Read in this order: `Case` (one call with drawn inputs), `Budget` and `Tolerance` (what is asked beside the value),
`Question` (a number to predict), `Exercise` (all of it for one function, its classic mistakes included).
"""

from __future__ import annotations

import inspect
import math
import re
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from kernels import CUDA

from ..runner.engines import ENGINES
from ..runner.engines.engine import Engine
from ..runner.meters import Meter
from ..runner.meters.idle import FACTOR, ONES
from ..runner.meters.spies import BY_NUMBERS, READER
from .edits import Mutant
from .starter import CUDA_STUB, open_holes, solutions, solved, starter, unmarked, with_rules, without_magic
from .user_error import UserError

Arguments = dict[str, Any]
NUMBERS = ("int", "float", "bool", "tuple[int, int]", int, float, bool, tuple[int, int])  # annotations

# The situations in which attention code breaks. An exercise covers each with a case or says in `without` why not.
REGIMES = {
    "single": "one row, one element",
    "ragged": "the length is not a multiple of the tile",
    "rising max": "the maximum grows in every tile",
    "large positive": "large positive logits, where exp overflows",
    "very negative": "very negative logits, where every exp underflows",
    "masked row": "a fully masked row: output 0, log-sum-exp -inf, no NaN",
    "cross": "N_q != N_k, causal mask aligned bottom-right",
    "strided": "inputs that are not contiguous",
    "grouped": "a query:KV head ratio that is not a power of two",
}
# The regimes of the situations that have one key in all exercises.
REGIMES_OF = {
    "single": ("single",),
    "ragged": ("ragged",),
    "rising": ("rising max",),
    "large-positive": ("large positive",),
    "outlier": ("large positive",),
    "very-negative": ("very negative",),
    "far-below": ("very negative",),
    "billions-below": ("very negative",),
    "fully-masked": ("masked row",),
    "all-masked": ("masked row",),
    "cross": ("cross",),
    "strided": ("strided",),
    "strided-memory": ("strided",),
    "wide-heads": ("strided",),
    "grouped": ("grouped",),
}
NO_SOFTMAX = "no softmax is taken here"  # the reason in `Exercise.without` of whatever takes none


# What cases and mistakes are called by.
KEY = re.compile(r"(?=.{1,28}$)[a-z0-9]+(-[a-z0-9]+)*")
A_KEY = "made of lower-case words joined by hyphens, with at most 28 letters"


def once(arguments: Arguments) -> int:
    """For `Exercise.calls`: at least one call, whatever the arguments."""
    return 1


@dataclass(frozen=True)
class Case:
    """One call of the function. `name` is a sentence that the learner reads when the case fails.

    `key` is what everything else calls the case by, the seed of its inputs included, so that the sentence may change:
    lower-case words joined by hyphens, unique in the exercise, and the same in all exercises for the same situation.
    `draw` makes the keyword arguments from a seeded generator: numpy arrays, numbers, None, a `Stream`, or
    `Earlier` tokens to attend to.
    `also`: its regimes, besides those of its key.
    `tile` is the (rows, columns) grid drawn over the map of the output's error. `budget` cases are
    made for what the exercise bounds.
    """

    key: str
    name: str
    draw: Callable[[np.random.Generator], Arguments]
    also: tuple[str, ...] = ()
    tile: tuple[int, int] | None = None
    budget: bool = False

    @property
    def regimes(self) -> tuple[str, ...]:
        """The REGIMES that it belongs to."""
        return (*REGIMES_OF.get(self.key, ()), *self.also)


@dataclass(frozen=True)
class Bound:
    """How much a call may use (of some counts: has to), by its arguments, and that formula in words, for the card.

    exactly: it may not use less either. least: nor less than this, in the cases made for what is bounded. everywhere:
    it may not use more in any case, whatever is so of other bounds on the same count.
    """

    most: Callable[[Arguments], int]
    words: str = ""
    exactly: bool = False
    least: Callable[[Arguments], int] | None = None
    everywhere: bool = False

    def at_least(self, arguments: Arguments) -> int:
        """The least that a call has to use."""
        if self.exactly:
            return self.most(arguments)
        return self.least(arguments) if self.least else 0


INPUTS = "kernels load half of the inputs at least"
IN_FLOAT32 = "what is rounded to 16 bits is stored, or a factor of tl.dot"
BY_NUMBER = "half of one product of the tiles that meet, and three for each number that is loaded"
COMPUTED = "two for each multiplication of one product of the tiles that meet, and eight for each number that is loaded"
OF_ROWS = "a few for each number that is loaded"
A_WORD = 150  # operations for a number drawn at random, by ten rounds of Philox for each of them


def _floats(given: Arguments) -> list[np.ndarray]:
    """The floating-point numbers among the arguments: blocks and lengths are no inputs to compute with."""
    return [x for x in given.values() if isinstance(x, np.ndarray) and x.dtype.kind == "f"]


@dataclass(frozen=True)
class Budget:
    """Bounds on what one call may use: most of a count, but where "at least" is said.

    is_the_point: whether to keep within it is what the exercise is about (no N x N matrix, one pass, no copy).

    Of any call:
    memory: peak bytes allocated during it, outputs included; of ranks, of the fullest one.
    held: bytes that an object keeps between its operations.
    steps: lines of Python that are executed, and a quarter of the calls into libraries.

    Of kernels:
    loads, stores: bytes read from and written to main memory.
    inputs: at least, bytes of the call's arguments that are loaded.

    Of CUDA kernels:
    sectors: 32-byte pieces of main memory that the requests of all warps touch.
    conflicts: passes over the banks of shared memory beyond those that requests of that width need.
    block, thread, thread_loads: bytes of main memory that one block moves, that one thread stores, and loads.
    exchanged, shared: requests of all warps to shared memory, and bytes that threads write and read there.
    handed: at least, bytes of shared memory that a thread reads and another has written.
    thread_reads, thread_writes: bytes of shared memory that one thread reads, and writes.
    shuffled: shuffles of all warps.
    exponentials, vanished: how many one thread takes, and how many of one block come out next to 0 or infinite, as
    those of hidden keys do.
    multiplications: at least, mma by a warp. fragments: the most. overlapped: at least, those beside copies from main
    memory of its own.
    copies: at least, bytes from main memory by cp_async beside 16 products of the warp or more.

    Of Triton's kernels:
    busiest: bytes that one program moves, of all launches together.
    programs: those of all launches.
    region: elements of the smallest block of a tensor that holds all which one program stores there.
    widest, asked: elements that one load or store holds, and those of all loads; masked ones too.
    narrow: elements reached at offsets that are made of block numbers in 32 bits.
    by_number: multiplications, divisions and exponentials that are no matrix products.
    computed: everything that is computed number by number; both follow from the others where nothing is said, see
        `of_kernels`.
    met: multiplications of one matrix product of all tiles that meet.
    natural: exponentials to base e. raised: at least, those to base e or 2, each of which a series of one's own is not.
    drawn: numbers drawn at random.
    rounded: numbers that are computed in 16 bits, or of such as have been rounded to them, other than by matrix
        products; none where nothing is said, since sums are float32. Of CUDA kernels: those that they round to them;
        of torch, those that products, sums, powers and casts from wider ones leave in 16 bits.

    Of torch:
    operators, computed: operations that are run, views not counted, and numbers that they make.
    products, product_calls: multiplications in its matrix products, and how many of these are run; those of tl.dot too.
    product_rows: rows that one matrix product makes, or one operator of powers, or columns where they are fewer.
    powers: numbers of which one operator takes powers.
    normalised: rows of outputs that have been divided, on the way too, in a call without a mask.
    copied: bytes of all copies of the arguments' numbers, those that are gone again too.
    backwards: at least, multiplications in matrix products while autograd runs a backward pass.

    Of ranks (see `runner.ranks`):
    sent, messages: the bytes and the number of the messages of one rank, a collective being one.
    rounds: how many have to follow one another. astray: how many go to another rank than the next one.
    at_once: multiplications of a rank between two waits for messages.
    clock: when the slowest rank is done.
    received, work: at least, the bytes and the multiplications that no rank can do without, so that nothing goes
    another way.
    """

    is_the_point: bool = False
    memory: Bound | None = None
    held: Bound | None = None
    copied: Bound | None = None
    steps: Bound | None = None
    loads: Bound | None = None
    stores: Bound | None = None
    sectors: Bound | None = None
    conflicts: Bound | None = None
    busiest: Bound | None = None
    block: Bound | None = None
    thread: Bound | None = None
    thread_loads: Bound | None = None
    programs: Bound | None = None
    region: Bound | None = None
    widest: Bound | None = None
    asked: Bound | None = None
    narrow: Bound | None = None
    operators: Bound | None = None
    products: Bound | None = None
    product_calls: Bound | None = None
    product_rows: Bound | None = None
    powers: Bound | None = None
    normalised: Bound | None = None
    backwards: Bound | None = None
    inputs: Bound | None = None
    by_number: Bound | None = None
    computed: Bound | None = None
    met: Bound | None = None
    natural: Bound | None = None
    raised: Bound | None = None
    drawn: Bound | None = None
    rounded: Bound | None = None
    exchanged: Bound | None = None
    shared: Bound | None = None
    handed: Bound | None = None
    thread_reads: Bound | None = None
    thread_writes: Bound | None = None
    shuffled: Bound | None = None
    exponentials: Bound | None = None
    vanished: Bound | None = None
    multiplications: Bound | None = None
    fragments: Bound | None = None
    copies: Bound | None = None
    overlapped: Bound | None = None
    sent: Bound | None = None
    messages: Bound | None = None
    rounds: Bound | None = None
    astray: Bound | None = None
    received: Bound | None = None
    work: Bound | None = None
    at_once: Bound | None = None
    clock: Bound | None = None

    def of_kernels(self) -> Budget:
        """With what is so of all Triton kernels: they load the inputs that they use, do at least half of the products
        that they may, and compute number by number what softmax, masks and scales need, and no product once more.

        A product takes a multiplication for each pair of numbers that meet, however it is written: as logarithms, as
        squares, along one axis. What honest kernels compute for two tiles is some numbers for each score and each
        element of the tiles, less than half as much as is allowed here.
        """
        products, met, drawn = self.products, self.met, self.drawn
        if products is not None:
            most = products.most
            products = replace(products, least=lambda given: most(given) // 2, everywhere=True)
            met = met or Bound(lambda given: most(given) // 2)  # S and P V

        def of(once: int, twice: int, rows: int, word: int) -> Callable[[Arguments], int]:
            """Halves of a product, and for each number that is loaded so many, more where no tiles meet."""

            def bound(given: Arguments) -> int:
                pairs = once * met.most(given) // 2 if met else 0
                words = word * drawn.most(given) if drawn else 0
                return pairs + (twice if met else rows) * self._loaded(given) + words

            return bound

        by_number = self.by_number or Bound(of(1, 3, 16, 4), BY_NUMBER if met else OF_ROWS)
        meeting = bool(met) and by_number is not self.by_number  # whole tiles, of which little may be loaded
        return replace(
            self,
            inputs=Bound(lambda given: self._loaded_bytes(given) // 2, INPUTS),
            rounded=self.rounded or Bound(lambda given: 0, IN_FLOAT32),
            products=products,
            product_calls=self.product_calls and replace(self.product_calls, everywhere=True),
            by_number=replace(by_number, everywhere=bool(met)),
            computed=Bound(of(4, 8, 60, A_WORD), COMPUTED if met else OF_ROWS, everywhere=meeting),
        )

    def _loaded_bytes(self, given: Arguments) -> int:
        """Those of the inputs, or fewer where not all of them may be loaded."""
        there = sum(x.nbytes for x in _floats(given))
        return there if self.loads is None else min(there, self.loads.most(given))

    def _loaded(self, given: Arguments) -> int:
        return self._loaded_bytes(given) // min((x.itemsize for x in _floats(given)), default=1)

    def formulas(self, meters: Iterable[Meter]) -> list[str]:
        """Their bounds in words, each to stand behind its own number; "" where nothing is said, or it was before."""
        bounds: list[Bound | None] = [getattr(self, meter.bound) for meter in meters]
        said = [bound.words if bound else "" for bound in bounds]
        return ["" if words in said[:place] else words for place, words in enumerate(said)]


@dataclass(frozen=True)
class Tolerance:
    """max|X - X64| <= factor * B + u and mean|X - X64| <= mean_factor * mean B + mean u (see `compare`).

    factor is 2 for forward results and 3 for gradients, as in the tests of the FlashAttention repository.
    known_like: B takes the inputs as known to a unit in the last place, of a number of this size where they are larger;
    0 where they are exact: maxima and sums, from which more digits can be kept than from scores.
    """

    factor: float = 2.0
    mean_factor: float = 1.5
    known_like: float = math.inf


@dataclass(frozen=True)
class Output:
    """One returned array. dtype None: the dtype of the inputs. `exact` outputs (indices) are compared bit for bit.

    memory: whose it may be. A function's result is new memory, and a method's is that of no argument; "view": a
    function's result may be a view of its inputs, and a method's has to be one of the object's own memory; "copy": a
    method's is neither; "contiguous": new memory, row after row without gaps.
    alike: of ranks, each of which has to return the same numbers, to the last bit.
    has_gaps: anything may stand where the oracle has NaN, as in slots of a buffer that hold nothing.
    """

    name: str
    dtype: str | None = None
    exact: bool = False
    memory: str = ""
    alike: bool = False
    has_gaps: bool = False


@dataclass(frozen=True)
class Quantity:
    """A number with its unit, and how far off, relative to it, a prediction may be."""

    value: float
    unit: str = ""
    rel: float = 0.0


@dataclass(frozen=True)
class Question:
    """A number that the learner predicts before running anything."""

    name: str
    ask: str
    answer: Quantity
    why: str


@dataclass(frozen=True)
class Exercise:
    """Everything about checking one function. `function` is the course's solution; its name is the exercise's name.

    oracle: takes the same arguments as torch tensors and returns the outputs in the dtype of its inputs; run in fp64 it
    is the truth, run in the inputs' own dtype it gives the plain error B (see `plain`).
    backend "ranks": the function runs on W ranks at once, and exchanges messages by torch.distributed. A list among its
    arguments holds the shards of the ranks, one each, and all else is the same on all; the oracle takes the lists, and
    returns a list of what each rank returns.
    An exercise may be a class, driven through operations: a case draws {"init": its arguments, "steps": [(method,
    arguments), ...]}, and the oracle is a class with the same methods. methods: what each of them returns, instead of
    `outputs`, and, as ".name", what an attribute holds that the contract names; errors: names of exceptions that count
    as answers, which the oracle raises too.
    hints: three rungs: the idea; the line or invariant to look at; the step worked with three numbers. The fourth, the
    code, is made from the solution (see `ladder`). mutants: classic mistakes. Both stand in the topic's page (see
    `mistakes`); in its Python file stand those mutants alone that are computed.
    calls: functions, classes and methods (Answers.grow) that an answer has to call, where that is the point, and how
    often at least, a formula of the arguments; a range says how often at most, too, and in what steps. One that is main
    memory counts what it moves (see `spies`).
    multiplied: arguments of which each product that tensor cores are to do has one as a factor, once.
    reads: how many tokens a ToyModel has to read in each operation on an object, in one step, or in a function's call.
    tiles: the first and the last row of all that may come from main memory at once, where there is one.
    without: regimes that do not apply, each with its reason.
    puzzle: the key of the mutant that the learner is given to mend, in place of a hole.
    builds: the macros with which a CUDA exercise's kernel is compiled for its cases. Its cell holds the kernel alone;
    the function, which launches it, is given.
    kernels: the Triton kernels in the exercise's cell, above the function, which launches them. allowed: torch
    operations that such a launcher may use besides allocation and views. compiled: draws arguments of the size of a
    real GPU problem, for which the kernels have to pass Triton's compiler.
    """

    function: Callable[..., Any]
    oracle: Callable[..., Any]
    cases: Sequence[Case]
    outputs: Sequence[Output]  # none of a class
    points: float
    hints: Sequence[str] = ()
    mutants: Sequence[Mutant] = ()
    backend: str = "numpy"  # one of ENGINES: "torch", "triton", "cuda", "ranks"
    budget: Budget = field(default_factory=Budget)
    tolerance: Tolerance = field(default_factory=Tolerance)
    forbidden: Sequence[str] = ()
    allowed: Sequence[str] = ()
    methods: Mapping[str, Sequence[Output]] = field(default_factory=dict)
    errors: Sequence[str] = ()
    kernels: Sequence[Any] = ()
    puzzle: str = ""
    builds: Sequence[Mapping[str, int]] = ({},)
    compiled: Callable[[np.random.Generator], Arguments] | None = None
    calls: Mapping[str, Callable[[Arguments], int | range]] = field(default_factory=dict)
    multiplied: Sequence[str] = ()
    reads: Callable[[Arguments], Sequence[int]] | None = None
    tiles: Callable[[Arguments], Iterable[tuple[int, int]]] | None = None
    without: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.engine.launches_triton:
            object.__setattr__(self, "budget", self.budget.of_kernels())

    @property
    def name(self) -> str:
        return self.function.__name__

    @property
    def engine(self) -> Engine:
        """What runs the answers of its back end."""
        return ENGINES[self.backend]

    @property
    def is_measured(self) -> bool:
        """Whether more is asked of an answer than its values, which libraries besides its own would hide."""
        return bool(self.forbidden) or self.is_bounded

    @property
    def is_bounded(self) -> bool:
        """Whether calls or amounts are bounded, which Python's own numbers would hide: all amounts but what an object
        holds, which is weighed wherever it comes from.
        """
        limits = self.budget != Budget(held=self.budget.held) and any(case.budget for case in self.cases)
        return bool(self.calls) or limits

    def with_defaults(self, arguments: Arguments) -> Arguments:
        """The arguments of a call with the numbers that the function takes where nothing is said of them."""
        taken = inspect.signature(self.function).parameters.values()
        return {one.name: one.default for one in taken if type(one.default) is int} | arguments

    @property
    def spied(self) -> list[str]:
        """Functions, classes and methods whose calls count, factors of the products of tensor cores, and ONES."""
        reader, ones = [READER] * bool(self.reads), [ONES] * bool(self.budget.normalised)
        return [*self.calls, *reader, *(FACTOR + name for name in self.multiplied), *ones]

    @property
    def is_counted(self) -> bool:
        """Whether there is a bound on memory or steps."""
        return bool(self.budget.memory or self.budget.steps)

    @property
    def topic(self) -> str:
        """The lesson's topic, which is the name of the module that holds the solution."""
        return self.function.__module__.rsplit(".", 1)[-1]

    @cached_property
    def source(self) -> str:
        """The solution's source text: the kernels, then the function; for a CUDA exercise its .cu file."""
        if not self.engine.is_python:
            return CUDA.joinpath(f"{self.name}.cu").read_text()
        functions = [*(kernel.fn for kernel in self.kernels), self.function]
        return "\n\n".join(inspect.getsource(function) for function in functions)

    @cached_property
    def starter(self) -> str:
        """What the learner opens: the source with holes, or with the puzzle's mistake."""
        if not self.puzzle:
            return self._with_rules(starter(self.source))
        return unmarked(self.with_mistake(next(mutant for mutant in self.mutants if mutant.key == self.puzzle)))

    def with_mistake(self, mutant: Mutant) -> str:
        """The source with the mutant's edit. Raises UserError unless it applies in exactly one place."""
        try:
            return mutant.edit.apply(self.source)
        except ValueError as error:
            raise UserError(f"{self.name}: the edit of `{mutant.key}` {error}") from None

    @property
    def rules(self) -> str:
        """What holds for every answer, in the words of the contract."""
        said = [f"Forbidden: {', '.join(self.forbidden)}."] if self.forbidden and not self.kernels else []
        if self.engine.launches_triton:
            also = f", {', '.join(self.allowed)}" if self.allowed else ""
            said = [f"Beside launching its kernels this function may only allocate and take views{also}."]
        elif self.engine.is_python and self.is_measured:
            keeps_to_tensors = self.engine.takes_tensors and self.is_bounded and "tolist" not in self.allowed
            but = ", without tolist of floating-point numbers" if keeps_to_tensors else ""
            said.append(f"It stays within {self.engine.language} and Python{but}.")
        if self.calls:
            said.append(f"It calls {' and '.join(name for name in self.calls if not name.endswith(BY_NUMBERS))}.")
        views = any(output.memory == "view" for output in self.outputs)
        results = "" if views or isinstance(self.function, type) else ", and results are new memory"
        kinds = inspect.get_annotations(self.function).values()
        if isinstance(self.function, type) or not all(kind in NUMBERS for kind in kinds):
            said.append(f"Arguments stay as they are{results}.")
        return " ".join(said)

    def _with_rules(self, text: str) -> str:
        return with_rules(text, self.name, self.rules) if self.engine.is_python and self.rules else text

    def cell(self, with_solution: bool) -> str:
        """The source of the exercise's cell."""
        text = self._with_rules(solved(self.source)) if with_solution else self.starter
        return text if self.engine.is_python else f"%%{self.engine.language} {self.name}\n{text}"

    @property
    def answer(self) -> str:
        """The solved cell as a learner would leave it: without the lines that mark its holes."""
        return unmarked(self.cell(with_solution=True))

    def is_starter(self, text: str) -> bool:
        """Whether the text of a cell or file is the starter as it was given out."""
        return without_magic(text).strip() == self.starter.strip()

    def has_hole(self, text: str) -> bool:
        """Whether a hole of the starter is still open in the text of an answer. A puzzle has none."""
        if not self.engine.is_python:
            return CUDA_STUB.splitlines()[-1] in text
        return not {self.name, *(kernel.__name__ for kernel in self.kernels)}.isdisjoint(open_holes(text))

    @property
    def ladder(self) -> tuple[str, ...]:
        """All four hints: those written for the exercise, then the code that fills the holes."""
        code = "\n\n".join(map(textwrap.dedent, solutions(self.source)))
        return (*self.hints, f"```{'python' if self.engine.is_python else self.engine.language}\n{code}\n```")
