"""All that is asked of one function: its cases, budget, hints and mistakes, and the texts made from its solution."""

from __future__ import annotations

import inspect
import json
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from kernels import CUDA
from simt.far import Far

from ...runner.engines import ENGINES
from ...runner.engines.cuda import FAR
from ...runner.engines.engine import Engine
from ...runner.meters.idle import BACKWARD, FACTOR, KEPT, LEFT, ONES, SWAYED
from ...runner.meters.spies import BEFORE, BY_NUMBERS, GIVEN, READER, TOOK
from ..edits import Mutant
from ..starter import CUDA_STUB, open_holes, solutions, solved, starter, unmarked, with_rules, without_magic
from ..user_error import UserError
from .budget import Budget
from .case import Arguments, Case
from .output import Output, Tolerance

NUMBERS = ("int", "float", "bool", "tuple[int, int]", int, float, bool, tuple[int, int])  # annotations


def once(arguments: Arguments) -> int:
    """For `Exercise.calls`: at least one call, whatever the arguments."""
    return 1


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
    takes: what numbers, those of arrays in float32, such a function has to be given: in words, and a formula of the
    arguments.
    far: what a CUDA kernel's blocks are moved through in the cases made for what is bounded, where offsets pass 2^31,
    or an index what a float32 holds.
    keeps: where a CUDA kernel has to keep what it goes on with behind a barrier: "shared memory" or "main memory".
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
    takes: Mapping[str, tuple[str, Callable[[Arguments], np.ndarray]]] = field(default_factory=dict)
    far: Far | None = None
    keeps: str = ""
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
        return self._default_numbers | arguments

    @cached_property
    def _default_numbers(self) -> Arguments:
        taken = inspect.signature(self.function).parameters.values()
        return {one.name: one.default for one in taken if type(one.default) is int}

    @property
    def spied(self) -> list[str]:
        """Functions, classes and methods whose calls count, factors of products, and what else is tried."""
        reader, ones = [READER] * bool(self.reads), [ONES] * bool(self.budget.normalised)
        ones += [SWAYED] * bool(self.budget.swayed) + [LEFT] * (self.engine.only_counts and not self._is_class)
        ones += [BACKWARD] * bool(self.budget.backwards)
        of_cuda = [FAR + json.dumps(asdict(self.far))] if self.far else []
        of_cuda += [KEPT + self.keeps] if self.keeps else []
        numbers = [name + TOOK for name in self.takes]
        return [*self.calls, *numbers, *reader, *(FACTOR + name for name in self.multiplied), *ones, *of_cuda]

    @property
    def _is_class(self) -> bool:
        return isinstance(self.function, type)

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
            names = [name for name in self.calls if not name.endswith((BY_NUMBERS, GIVEN)) and BEFORE not in name]
            said.append(f"It calls {' and '.join(names)}.")
        views = any(output.memory == "view" for output in self.outputs)
        results = "" if views or self._is_class else ", and results are new memory"
        kinds = inspect.get_annotations(self.function).values()
        if self._is_class or not all(kind in NUMBERS for kind in kinds):
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
