"""Which operations of torch a call makes, by name and by the learner's line; what they allocate, copy and multiply."""

from __future__ import annotations

import inspect
import math
import sys
import weakref
from collections import Counter
from collections.abc import Callable, Iterable, Set
from functools import lru_cache, partial
from types import FrameType, FunctionType
from typing import Any

import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode, resolve_name

from ..tensors import read
from ..tensors.copies import TO_WHOLE, bytes_copied, bytes_written, is_copying, is_made_alike, written_to
from ..tensors.names import base_name, name_of, of_operator, whole_name
from ..tensors.operators import Operators
from ..tensors.powers import exponents_of
from ..tensors.products import FACTORS, meets_every_row, met_along, multiplies_each, product_of, product_of_a_head
from ..tensors.read import memory_of
from ..tensors.unseen import calls_unseen
from .spies import Spies

IsLearners = Callable[[str], bool]
Placed = tuple[int, Tensor]  # with the address of its memory


COMPLEX = "operations on complex numbers"
PAST_MEMORY = "past Memory"  # an operation that reads tensors where nothing counts
OF_MEMORY = ("aten.clone", "aten.copy_")  # what main memory's own methods do with its tensors, views apart


def home_of(function: Any) -> str:
    """The file with the function's code, below its decorators, or with a class's first method; "" if there is none."""
    inner = inspect.unwrap(function)
    methods = vars(inner).values() if isinstance(inner, type) else [inner]
    return next((f.__code__.co_filename for f in methods if isinstance(f, FunctionType)), "")


def learner_frame(is_learners: IsLearners, frame: FrameType | None = None) -> FrameType | None:
    """The innermost frame that belongs to the learner's code, from the running one or the given one outwards."""
    frame = frame or sys._getframe(1)
    while frame is not None and not is_learners(frame.f_code.co_filename):
        frame = frame.f_back
    return frame


def learner_line(is_learners: IsLearners, frame: FrameType | None = None) -> int:
    """Line number of the innermost frame that belongs to the learner's code (0 if none does), as `learner_frame`."""
    frame = learner_frame(is_learners, frame)
    return frame.f_lineno if frame else 0


@lru_cache(maxsize=4096)  # of torch's functions, which live as long as torch
def _function_name(func: Any) -> str:
    return str(resolve_name(func) or getattr(func, "__name__", func))


def tensors_in(values: Iterable[Any]) -> list[Tensor]:
    """The tensors among an operator's arguments or results, which may stand in lists."""
    found: list[Tensor] = []
    for value in values:
        if isinstance(value, Tensor):
            found.append(value)
        elif isinstance(value, (list, tuple)):
            found += tensors_in(value)
        elif isinstance(value, dict):
            found += tensors_in(value.values())
    return found


def _rows_in(tensor: Tensor) -> int:
    """Rows of all its matrices together, or columns where they are fewer."""
    *batch, rows, columns = (1, 1, *read.size_of(tensor))
    return math.prod(batch) * min(rows, columns)


def _is_cut(func: Any, used: list[Tensor]) -> bool:
    """Whether an operator whose result has 16 bits is given numbers of more. A single one beside others is read in
    their width.
    """
    if is_made_alike(func):
        return False
    several = any(read.is_real(x) and read.dimensions(x) for x in used)
    return any(read.is_real(x) and read.itemsize_of(x) > NARROW and (read.dimensions(x) or not several) for x in used)


@of_operator
def _leaves_steps(func: Any) -> bool:
    """Whether an operator leaves of a number the step of a grid that it lies on, or its bits, in whatever dtype."""
    name, whole = base_name(func), whole_name(func)
    return name in STEPS or whole.startswith("aten.view.dtype") or (name == "aten.div" and whole.endswith("_mode"))


def tables_among(values: Iterable[Any]) -> frozenset[int]:
    """The memory of the tensors that have rows of whole numbers, as a block table has."""
    rows = (x for x in tensors_in(values) if read.dimensions(x) == 2)
    return frozenset(memory_of(x) for x in rows if not read.is_real(x))


# Functions that tell Python a tensor's numbers, the last two by the lengths of views; and at which of their arguments
# those begin that may be that tensor: a split tells those of where to split, and nothing of what is split.
TELLING = {"torch.Tensor.tolist": 0, "torch.tensor_split": 1, "torch.Tensor.tensor_split": 1}


class FunctionNames(TorchFunctionMode):
    """Records every call into torch's Python interface: name -> first line of the file `home`.

    operators: who knows which whole numbers were rounded from others.
    """

    def __init__(self, home: str, operators: OperatorsAndBytes):
        super().__init__()
        self.is_own = home.__eq__
        self.operators = operators
        self.lines: dict[str, int] = {}

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        name = _function_name(func)
        if name in TELLING and any(map(self._is_of_floats, self._told(name, args, kwargs or {}))):
            name = "torch.Tensor.tolist of floating-point numbers"
        if name not in self.lines:
            self.lines[name] = learner_line(self.is_own)
        try:
            return func(*args, **(kwargs or {}))
        except Exception as error:
            self.operators.said(BaseException.__str__(error))  # and not in words of the answer's own
            raise

    @staticmethod
    def _told(name: str, args: Any, kwargs: dict[str, Any]) -> list[Any]:
        return [*args[TELLING[name] :], *(value for key, value in kwargs.items() if key not in ("self", "input"))]

    def _is_of_floats(self, given: Any) -> bool:
        """Or of bits and numbers that were made of such; whole numbers lead to others, as those of a block table do."""
        return isinstance(given, Tensor) and (
            read.is_real(given) or read.is_complex(given) or self.operators.carries_numbers(given)
        )


SUMMING = ("aten.sum", "aten.nansum", "aten.cumsum", "aten.prod", "aten.cumprod")
ROUNDING = {*TO_WHOLE, *SUMMING}  # operators that may make whole numbers of others; sums and products take a dtype
SUMS = {f"aten.{name}" for name in ("sum", "nansum", "cumsum", "mean", "logcumsumexp")}
STEPS = {  # of what is left of a number of 32 bits by them, 16 may be lost
    *(f"aten.{name}" for name in ("round", "floor", "ceil", "trunc", "frac", "fmod", "remainder", "floor_divide")),
    *(f"aten.{name}" for name in ("nextafter", "frexp", "bucketize", "searchsorted")),
    *(f"aten.fake_quantize_per_{name}_affine_cachemask" for name in ("tensor", "channel")),
}
NARROW, WIDE = 2, 8  # bytes of a number of 16 bits, and of 64
TAKING = "aten._local_scalar_dense"  # one number, out of torch: item(), float(), int()


class OperatorsAndBytes(Operators):
    """Records every ATen operator (name -> first line of the answer), how many of them are run, what their products
    multiply, and the live bytes of the storages they allocate. A floating-point number that is taken out of torch, or
    what it was rounded to, is live from then on, as is what an error says.
    """

    def __init__(self, is_learners: IsLearners, given: Any = None, spies: Spies | None = None, home: str = ""):
        """home: the answer's file, whose lines are named, and not those of what it calls from elsewhere. given: the
        call's arguments. Memory that is neither theirs nor was allocated in the call, such as what a module holds
        ready, counts from its first use; None lets it pass. spies: where main memory is among them, the
        arguments may be read by its methods alone, and what lies there written.
        """
        super().__init__()
        self.is_learners, self.is_own = is_learners, home.__eq__
        self.known = None if given is None else {memory_of(x) for x in tensors_in([given])}
        self.spies = spies
        self.given = frozenset(self.known or ())
        self.sizes = {memory_of(x): read.itemsize_of(x) for x in tensors_in([given]) if read.is_real(x)}  # of a number
        self.steps = {memory_of(x): set(read.strides_of(x)) for x in tensors_in([given])}
        self.apart: Counter[int] = Counter()  # line -> rows of an argument, in an operator, that do not follow another
        self.tables = tables_among([given])
        self.lines: dict[str, int] = {}
        self.by_line: Counter[int] = Counter()  # operators that are more than a view
        self.computed = 0  # numbers that operators made, views apart
        self.by_number: Counter[int] = Counter()  # line -> of the arguments' numbers, those multiplied one by one
        self.joined: Counter[int] = Counter()  # line -> numbers that are added, compared or ordered along an axis
        self.product_rows = 0  # the most rows, or columns where they are fewer, of one matrix product or of its powers
        self.rounded: Counter[int] = Counter()  # line -> numbers left in 16 bits where more were at hand
        self.widened: Counter[int] = Counter()  # line -> numbers that products, sums and powers left in 64 bits
        self.powers_at_once = 0  # the most numbers of which one operator has taken powers
        self.powers: Counter[int] = Counter()  # line -> the numbers of which operators have taken powers
        self.products = self.product_calls = 0  # multiplications of matrix and outer products, and how many those are
        self.product_of_a_head = 0  # the most multiplications of one product, for each head of the first argument
        self.heads = max([1, *(math.prod(read.size_of(x)[:-2]) for x in tensors_in([given])[:1])])
        self.width = max([1, *(read.size_of(x)[-1] for x in tensors_in([given]) if read.dimensions(x) > 1)])  # of rows
        self.watched: dict[int, weakref.ref[Any]] = {}  # the storages that are alive, by address
        self.copied = 0  # bytes of all copies of the arguments' numbers, whenever they were made
        self.copies: set[int] = set()  # those of them into which the arguments' numbers were copied as they are
        # Memory of all arguments but the first, which are the queries, and of copies of them; bytes of all such copies.
        self.others = {memory_of(x) for x in tensors_in([given])[1:]}
        self.copied_others = 0
        # All storages, by address, that are known to hold the arguments' numbers, or what was made of such.
        self.carrying: dict[int, weakref.ref[Any]] = {}
        self.writes: Counter[int] = Counter()  # memory -> how often operators have written there
        self.changed = False  # whether an operator has put other numbers into an argument, if only for a while
        self.live = 0
        self.peak = 0
        self.held = 0  # the most that was alive between two operations of an object
        self.floats = 0  # of them, those of floating-point numbers
        self.floats_held = 0
        self.floats_made = 0  # bytes of all that were allocated, those that are gone again too, or written over
        self.kept: frozenset[int] = frozenset()  # memory that was alive between two operations of an object
        self.largest = 0
        self.largest_line = 0

    def run(self, func: Any, args: Any, kwargs: dict[str, Any]) -> Any:
        with calls_unseen():
            used = [(memory_of(x), x) for x in tensors_in((*args, *kwargs.values()))]
            written = written_to(func, args, kwargs)
            self.asked(func, args, used)
            if self.spies and not self.spies.held.isdisjoint(map(memory_of, written)):
                self._must_be_main_memorys_own(func)
            arguments = [x for x in written if memory_of(x) in self.given]
            before = [read.bits_of(x) for x in arguments]
        out = func(*args, **kwargs)
        with calls_unseen():
            self.changed |= before != [read.bits_of(x) for x in arguments]
            if not (func.is_view and isinstance(out, Tensor) and read.is_real(out)):  # which leads to nothing new
                self.done(func, args, kwargs, used, out)
        return out

    def asked(self, func: Any, args: Any, used: list[Placed]) -> None:
        """Take down an operator that is about to run. used: the tensors that it is given, with their memory."""
        name = whole_name(func)
        if name not in self.lines:
            self.lines[name] = learner_line(self.is_own)
        if not func.is_view:
            self.by_line[learner_line(self.is_own)] += 1
        if self.spies and self.spies.memory and self._reads(func, {memory for memory, _ in used}):
            self._must_be_main_memorys_own(func)
        if self.known is not None:
            for memory, tensor in used:
                if memory not in self.known:
                    self._allocated(tensor)

    def done(self, func: Any, args: Any, kwargs: dict[str, Any], used: list[Placed], out: Any) -> None:
        """Take down what an operator has made."""
        name, memories = name_of(func), {memory for memory, _ in used}
        made = [(memory_of(x), x) for x in tensors_in((out,))]
        numbers = [x for _, x in made if read.is_real(x)]
        narrow = [x for x in numbers if read.itemsize_of(x) <= NARROW]
        sums = self._met(func, args, kwargs, used, made, out) or name in SUMS
        if narrow and (sums or _is_cut(func, [x for _, x in used])):
            self.rounded[learner_line(self.is_own)] += sum(map(read.length_of, narrow))
        if sums:
            wide = [x for x in numbers if read.itemsize_of(x) >= WIDE]
            self.widened[learner_line(self.is_own)] += sum(map(read.length_of, wide))
        if not func.is_view:
            for x in numbers:
                self.computed += read.length_of(x)
        if func._schema.is_mutable:
            self.writes.update({memory for memory, _ in made} & memories)
            over = [x for memory, x in made if memory in self.kept and memory in memories]
            self.floats_made += bytes_written(func, args, over, [x for memory, x in used if memory not in self.kept])
        for memory, tensor in made:
            if COMPLEX not in self.lines and read.is_complex(tensor):
                self.lines[COMPLEX] = learner_line(self.is_own)
            if memory not in memories:
                self._allocated(tensor)
        leading = [(memory, x) for memory, x in used if self._carries(memory, x)]
        if leading:
            inputs, others = self._led_by(leading, made)
            results = [x for _, x in made]
            if multiplies_each(func, args, kwargs):
                self.by_number[learner_line(self.is_own)] += sum(
                    map(read.length_of, filter(read.has_fractions, results))
                )
            self.copied += bytes_copied(func, args, inputs, others, results)
            keys = [x for x in inputs if memory_of(x) in self.others]
            mixed = others or len(keys) < len(inputs)
            self.copied_others += bytes_copied(func, args, keys, mixed, results)
            self._carried(name, leading, made)
            if _leaves_steps(func) and any(read.is_real(x) for _, x in leading):
                self.rounded[learner_line(self.is_own)] += sum(read.length_of(x) for _, x in made)
        if name == TAKING and leading:
            taken = sum(read.itemsize_of(x) for _, x in used)  # kept outside of torch, for all that is known
            self._grown(taken)
            self.floats += taken
        if is_copying(func) and any(map(self.has_inputs, memories)):
            self.copies.update(memory for memory, _ in made)
            if not self.others.isdisjoint(memories):
                self.others.update(memory for memory, _ in made)

    def _met(
        self, func: Any, args: Any, kwargs: dict[str, Any], used: list[Placed], made: list[Placed], out: Any
    ) -> bool:
        """Take down which numbers meet in an operator, and its powers. Whether it has made products or powers."""
        multiplications = product_of(func, args, out, self.stand_for_others(used)) or self._row_by_row(func, used, out)
        if multiplications:
            self.products += multiplications
            self.product_calls += 1
        if along := met_along(func, args, kwargs, self.width):
            self.joined[learner_line(self.is_own)] += along
        if base_name(func) in FACTORS:
            self.product_of_a_head = max(self.product_of_a_head, product_of_a_head(func, args, out, self.heads))
        if not func.is_view and (apart := sum(self._rows_apart(memory, x) for memory, x in used)):
            self.apart[learner_line(self.is_own)] += apart
        exponents = exponents_of(func, args)
        if exponents or base_name(func) in FACTORS:
            self.product_rows = max(self.product_rows, *map(_rows_in, exponents or (x for _, x in made)))
        if of_inputs := [x for x in exponents if self.carries_numbers(x)]:
            self.powers_at_once = max(self.powers_at_once, *map(read.distinct_in, of_inputs))
            self.powers[learner_line(self.is_own)] += sum(map(read.distinct_in, of_inputs))
        return bool(multiplications or exponents)

    def _row_by_row(self, func: Any, used: list[Placed], out: Any) -> int:
        """Multiplications of a row by each row of another tensor, both made of the arguments' numbers; of complex
        numbers four for each.
        """
        if len(used) != 2 or not all(self._carries(memory, x) and read.has_fractions(x) for memory, x in used):
            return 0
        (_, a), (_, b) = used
        met = meets_every_row(func, a, b, out) or meets_every_row(func, b, a, out)
        return met * (4 if met and read.is_complex(out) else 1)

    def _rows_apart(self, memory: int, factor: Tensor) -> int:
        """Rows, or columns, of a view of an argument between which others of the argument lie."""
        steps = self.steps.get(memory, ())
        sides = zip(read.size_of(factor), read.strides_of(factor), strict=True)
        return sum(n for n, step in sides if n > 1 and step and step not in steps) if steps else 0

    def said(self, text: str) -> None:
        """Count what torch says of an error as kept outside of it: it may name a number, and be caught."""
        self._grown(str.__len__(text))

    def meet(self, tensor: Tensor) -> None:
        """Count memory that is neither the arguments' nor was seen to be allocated, from its first use on."""
        if self.known is not None and memory_of(tensor) not in self.known:
            self._allocated(tensor)

    def has_inputs(self, storage: int) -> bool:
        """Whether what lies at this address are the arguments' numbers, or a copy of them."""
        return storage in self.given or storage in self.copies

    def carries_numbers(self, tensor: Tensor) -> bool:
        """Whether floating-point numbers of the arguments lead to those of a tensor, which may have been rounded to
        whole ones: those that count or compare them are no such.
        """
        return self._carries(memory_of(tensor), tensor)

    def _carries(self, memory: int, tensor: Tensor) -> bool:
        return memory in self.carrying or (memory not in self.watched and read.has_fractions(tensor))

    def stand_for_others(self, used: list[Placed]) -> bool:
        """Whether some tensor holds whole numbers to which floating-point ones were rounded."""
        return any(memory in self.carrying and not read.has_fractions(x) for memory, x in used)

    def _led_by(self, leading: list[Placed], made: list[Placed]) -> tuple[list[Tensor], bool]:
        """What an operator used of the arguments' numbers themselves, not in what it wrote; whether of others, too."""
        written = {memory for memory, _ in made}
        read_only = [(memory, x) for memory, x in leading if memory not in written]
        inputs = [x for memory, x in read_only if self.has_inputs(memory) and read.is_real(x)]
        return inputs, len(read_only) > len(inputs)

    def _carried(self, operator: str, leading: list[Placed], made: list[Placed]) -> None:
        """Note which results carry on the numbers of what an operator used."""
        whole = operator in ROUNDING or not all(read.has_fractions(x) for _, x in leading)
        for memory, tensor in made:
            if (
                memory not in self.carrying
                and read.dtype_of(tensor) != torch.bool
                and (whole or read.has_fractions(tensor))
            ):
                self.carrying[memory] = weakref.ref(read.storage_of(tensor), partial(self._forgotten, memory))

    def writes_at(self, memory: int) -> int:
        return self.writes[memory]

    def note_held(self) -> None:
        self.kept = frozenset(self.watched)
        self.held, self.floats_held = max(self.held, self.live), max(self.floats_held, self.floats)

    @property
    def count(self) -> int:
        """Operators that were run, but for those that only make a view."""
        return self.by_line.total()

    @property
    def busiest_line(self) -> int:
        """The line that runs the most of them, 0 if none was run."""
        return self.by_line.most_common(1)[0][0] if self.by_line else 0

    def _reads(self, func: Any, storages: Set[int]) -> bool:
        """Whether an operator reads the arguments' numbers, and not their shape alone, or makes a view of them."""
        return not (func.is_view or is_made_alike(func) or storages.isdisjoint(self.given))

    def _must_be_main_memorys_own(self, func: Any) -> None:
        """Take down an operator past main memory, unless it is one that main memory's methods run."""
        frame = learner_frame(self.is_learners)
        if self.spies and (frame is None or frame.f_code not in self.spies.memory or name_of(func) not in OF_MEMORY):
            self.lines.setdefault(PAST_MEMORY, learner_line(self.is_own))

    def _allocated(self, tensor: Tensor) -> None:
        storage = read.storage_of(tensor)
        size = read.bytes_of_storage(storage)
        if not size:
            return
        address = read.address_of_storage(storage)
        if self.known is not None:
            self.known.add(address)
        self._grown(size)
        floats = size if read.is_real(tensor) else 0
        self.floats += floats
        self.floats_made += floats
        if size > self.largest:
            self.largest, self.largest_line = size, learner_line(self.is_own)
        self.watched[address] = weakref.ref(storage, partial(self._freed, size, floats, address))

    def _grown(self, size: int) -> None:
        self.live += size
        self.peak = max(self.peak, self.live)

    def _freed(self, size: int, floats: int, address: int, _: Any) -> None:
        self.live -= size
        self.floats -= floats
        self.watched.pop(address, None)
        self.copies.discard(address)
        self.others.discard(address)
        self.writes.pop(address, None)
        if self.known is not None:
            self.known.discard(address)

    def _forgotten(self, address: int, _: Any) -> None:
        """What was freed, an argument too, whose memory may be another's from now on."""
        self.carrying.pop(address, None)
