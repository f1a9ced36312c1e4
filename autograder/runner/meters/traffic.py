"""The traffic meter: bytes that Triton kernels load and store, and what they multiply, counted in its interpreter.

Every unmasked element of every load and store counts with its size, so the counts are exact and the same on every
machine. On the way each access is compared with the tensors that the launch was given: one that reaches outside is
refused before memory is touched. What a mask leaves out of a load without `other` reads as NaN, as it may on a GPU.

This hooks into the interpreter's builder. `install` checks that it is a version known here (Triton 3.6 to 3.9); if not,
kernels run unwatched and nothing is reported as measured.
"""

from __future__ import annotations

import functools
import inspect
import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np
from torch.utils.module_tracker import ModuleTracker

from ..interpreter.arguments import base_of, is_plain, never_within_itself, only_what_compiles
from ..interpreter.arithmetic import count_arithmetic
from ..interpreter.autotune import any_configuration
from ..interpreter.halves import in_halves
from ..interpreter.lean import as_one_kernel, without_repeats
from ..interpreter.libdevice import with_libdevice
from ..interpreter.narrow import carry_marks, is_marked, mark
from ..interpreter.precision import as_by_reciprocals, as_on_tensor_cores, without_subnormals
from ..interpreter.rounded import find_rounded
from ..interpreter.rounded.comparisons import numbers_told
from ..interpreter.rounded.memory import mark_bits
from ..interpreter.tiles_in_python import as_compiled
from ..tensors import read
from ..tensors.regions import Regions
from ..tensors.unseen import unseen
from . import CALLED_AGAIN
from .operations import IsLearners, OperatorsAndBytes, learner_frame, learner_line, tables_among, tensors_in
from .races import Owners, launch_index
from .words import counted

FLOAT = 4  # bytes


class OutOfBounds(IndexError):
    """A load or store that reaches outside the tensors passed to the kernel."""


class Unsupported(TypeError):
    """Something that Triton's interpreter computes wrongly without saying so."""


@dataclass
class Access:
    """One load or store of one program: which tensor, which elements (offsets into its memory), from which line."""

    kind: str  # "load" or "store"
    kernel: str
    program: tuple[int, int, int]
    tensor: Tensor
    elements: np.ndarray  # offsets from the tensor's first element
    line: int
    names: dict[str, Any] = field(default_factory=dict)  # the kernel's variables at that moment


@dataclass(frozen=True)
class Tensor:
    """A tensor that was passed to a kernel: the parameter's name, where it lies, and its layout."""

    name: str
    start: int  # address of its first element
    end: int  # address past its last one
    itemsize: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]  # in elements
    storage: int = 0  # address of the memory of which it is a view
    is_real: bool = True  # whether it holds floating-point numbers

    @property
    def nbytes(self) -> int:
        return math.prod(self.shape) * self.itemsize

    def elements_in(self, itemsize: int) -> int:
        """How many of its elements something of so many bytes holds, if it is taken for something larger than one."""
        return max(1, itemsize // self.itemsize)


class Traffic:
    """Context that counts what all kernels launched within it move. `loads` and `stores` are bytes.

    on_access: called with every Access, for pictures. operators: who knows what memory there is, and whose. in_name:
    kernels are launched in name only, and nothing but their programs counts: for numbers that the interpreter lacks.
    """

    def __init__(
        self,
        is_learners: IsLearners | None = None,
        on_access: Callable[[Access], None] | None = None,
        operators: OperatorsAndBytes | None = None,
        in_name: bool = False,
    ):
        self.in_name = in_name
        self.is_learners, self.on_access = is_learners or (lambda filename: False), on_access
        self.operators = operators
        self.loads = self.stores = self.launches = 0
        self.line = 0  # that of the launch
        self.started: Counter[int] = Counter()  # line -> programs of its launches
        self.of_inputs = 0  # bytes of the loads from the call's arguments, or from copies of them
        # (kernel, launch, program) -> bytes
        self.by_program: Counter[tuple[str, int, tuple[int, int, int]]] = Counter()
        self.again: Counter[int] = Counter()  # line -> bytes of numbers that the program had loaded before
        self.widest = self.widest_line = 0  # most elements of one access, masked ones too, and its line
        self.asked: Counter[int] = Counter()  # line -> elements of its loads, masked ones too
        self.regions = Regions()
        self.kernels: set[str] = set()  # names of the launched ones
        self.written: set[int] = set()  # memory that they have stored into
        self.moved: dict[str, Counter[tuple[int, Tensor]]] = {"load": Counter(), "store": Counter()}  # bytes, by line
        self.multiplied: Counter[int] = Counter()  # line -> multiplications of its products
        self.multiplying: Counter[int] = Counter()  # line -> its products
        self.largest = self.largest_line = 0  # most multiplications of one product, and its line
        self.shapes: set[tuple[int, int, int]] = set()  # of the products in tl.dot
        self.backwards = 0  # those in a backward pass of autograd
        self.by_number: Counter[int] = Counter()  # line -> those of number by number, exponentials and divisions too
        self.tables = set(operators.tables if operators else ())  # memory in which whole numbers are block numbers
        self.narrow: Counter[int] = Counter()  # line -> elements reached at offsets that need 64 bits and have 32
        self.rounded: Counter[int] = Counter()  # line -> numbers computed in 16 bits, or of rounded ones
        self.computed = 0  # numbers that are computed one by one, those among them
        self.natural: Counter[int] = Counter()  # line -> exponentials to base e
        self.exponentials: Counter[int] = Counter()  # line -> those to base e or 2
        self.powers_at_once = 0  # the most of them that one operation takes
        self.shortened = 0  # the first line with a tl.dot that rounds float32 to TF32

    def line_of(self, kind: str) -> int:
        """The line whose loads or stores move most bytes beyond those of the tensors, each of which has to be moved
        once; 0 if nothing was moved.
        """
        moved: dict[int, tuple[int, int]] = {}  # by line: bytes beyond, and bytes
        for (line, tensor), size in self.moved[kind].items():
            beyond, before = moved.get(line, (0, 0))
            moved[line] = beyond + max(size - tensor.nbytes, 0), before + size
        return max(moved, key=moved.__getitem__, default=0)

    @property
    def busiest(self) -> int:
        """Bytes that the busiest program of each kernel moves, of all kernels together."""
        most: Counter[str] = Counter()
        for (kernel, _, _), size in self.by_program.items():
            most[kernel] = max(most[kernel], size)
        return most.total()

    @property
    def loaded_again(self) -> tuple[int, int]:
        """The bytes of numbers that a program had loaded before, and the line that loads most of them."""
        return _total_and_line(self.again)

    @property
    def programs(self) -> tuple[int, int]:
        """The programs of all launches, and the line that starts most of them."""
        return _total_and_line(self.started)

    @property
    def asked_in_all(self) -> tuple[int, int]:
        """The elements of all loads, masked ones too, and the line that asks for most of them."""
        return _total_and_line(self.asked)

    @property
    def products(self) -> tuple[int, int]:
        """The multiplications of all matrix products, and the line that does most of them."""
        return _total_and_line(self.multiplied)

    @property
    def product_calls(self) -> tuple[int, int]:
        """How many matrix products there are, and the line that does most of them."""
        return _total_and_line(self.multiplying)

    @property
    def natural_exponentials(self) -> tuple[int, int]:
        """The exponentials to base e, and the line that takes most of them."""
        return _total_and_line(self.natural)

    @property
    def powers(self) -> tuple[int, int]:
        """The exponentials, and the line that takes most of them."""
        return _total_and_line(self.exponentials)

    @property
    def numbers(self) -> tuple[int, int]:
        """The multiplications number by number, and the line that does most of them."""
        return _total_and_line(self.by_number)

    @property
    def narrow_offsets(self) -> tuple[int, int]:
        """The elements at offsets that are made of block numbers in 32 bits, and the line that makes most of them."""
        return _total_and_line(self.narrow)

    @property
    def rounded_numbers(self) -> tuple[int, int]:
        """The numbers that are computed in 16 bits or of rounded ones, and the line that computes most of them."""
        return _total_and_line(self.rounded)

    def __enter__(self) -> Traffic:
        _meters.append(self)
        return self

    def __exit__(self, *_: Any) -> None:
        _meters.remove(self)

    def launch(self, kernel: str, tables: frozenset[int]) -> None:
        """One more launch. tables: the memory of the block tables that it is given."""
        self.launches += 1
        self.line = learner_line(self.is_learners)
        self.tables.update(tables)
        self.kernels.add(kernel)

    def start(self, programs: int = 1) -> None:
        """One more program of the launch, or so many."""
        self.started[self.line] += programs

    def ask(self, lanes: int) -> None:
        """A load of so many elements, all of which its mask leaves out."""
        self.asked[learner_line(self.is_learners)] += lanes

    def multiply(self, a: np.ndarray, b: np.ndarray, count: int) -> None:
        """A matrix product of so many multiplications. One with ones alone is a sum, and is not counted."""
        if not ((a == 1).all() or (b == 1).all()):
            line = learner_line(self.is_learners)
            self.multiplied[line] += count
            self.multiplying[line] += 1
            if count > self.largest:
                self.largest, self.largest_line = count, line
            self.backwards += count * _passes.is_bw

    def meet(self, rows: int, sums: int, columns: int) -> None:
        """Tiles of these sizes meet in a tl.dot."""
        self.shapes.add((rows, sums, columns))

    def compute(self, numbers: int, multiplies: bool) -> None:
        """So many numbers are computed one by one. multiplies: by a multiplication, a division, an exponential."""
        self.computed += numbers
        if multiplies:
            self.by_number[learner_line(self.is_learners)] += numbers

    def take_exponentials(self, numbers: int, natural: bool) -> None:
        """So many exponentials. natural: to base e; otherwise to base 2."""
        line = learner_line(self.is_learners)
        self.exponentials[line] += numbers
        self.powers_at_once = max(self.powers_at_once, numbers)
        if natural:
            self.natural[line] += numbers

    def note(
        self, kind: str, tensor: Tensor, addresses: np.ndarray, itemsize: int, launch: _Launch, lanes: int
    ) -> None:
        """addresses: those that no mask leaves out. lanes: elements of the tensor in all of them, with what it does."""
        size = addresses.size * itemsize
        if kind == "load":
            self.loads += size
            self.of_inputs += size * bool(self.operators and self.operators.has_inputs(tensor.storage))
        else:
            self.stores += size
            self.written.add(tensor.storage)
        self.by_program[launch.kernel, self.launches, launch.program()] += size
        frame = learner_frame(self.is_learners)
        line = frame.f_lineno if frame else 0
        self.moved[kind][line, tensor] += size
        if kind == "load":
            self.asked[line] += lanes
            if itemsize < self.size_of_a_number(tensor):  # a piece, as of a float its first 16 bits
                self.rounded[line] += addresses.size
        else:
            self.regions.store(tensor.storage, self.launches, launch.program(), addresses, line)
        if lanes > self.widest:
            self.widest, self.widest_line = lanes, line
        if self.on_access:
            elements = (addresses.astype(np.int64) - tensor.start) // tensor.itemsize
            names = dict(frame.f_locals) if frame else {}
            self.on_access(Access(kind, launch.kernel, launch.program(), tensor, elements, line, names))

    def size_of_a_number(self, tensor: Tensor) -> int:
        """The bytes of a floating-point number there, whatever the kernel takes it for; 0 if there are none."""
        size = self.operators.sizes.get(tensor.storage, 0) if self.operators else 0
        return max(size, tensor.itemsize) if tensor.is_real else size

    def __repr__(self) -> str:
        if not self.launches:
            return "no kernel of yours was launched, and what torch moves is not counted"
        return f"{counted(self.loads, 'byte')} loaded, {counted(self.stores, 'byte')} stored"


def _total_and_line(by_line: Counter[int]) -> tuple[int, int]:
    return by_line.total(), max(by_line, key=by_line.__getitem__, default=0)


@dataclass
class _Launch:
    kernel: str
    tensors: list[Tensor]
    program: Callable[[], tuple[int, int, int]]
    owners: Owners | None  # None where nobody asks
    moved: Any = None  # its arguments as the interpreter hands them to the kernel

    def elements_at(self, address: int, itemsize: int) -> int:
        """How many elements of a tensor something of so many bytes holds that a mask leaves out."""
        return next((t.elements_in(itemsize) for t in self.tensors if t.start <= address < t.end), 1)

    def holding(self, kind: str, addresses: np.ndarray, itemsize: int) -> Tensor:
        """The tensor in which all of the addresses lie. Raises OutOfBounds."""
        low, high = int(addresses.min()), int(addresses.max()) + itemsize
        for tensor in self.tensors:
            if tensor.start <= low and high <= tensor.end:
                return tensor
        if not self.tensors:
            raise OutOfBounds(f"{self.kernel} {kind}s memory, but it was given no tensor")
        inside = [t for t in self.tensors if t.start <= low < t.end or t.start < high <= t.end]
        nearest = min(inside or self.tensors, key=lambda t: min(abs(low - t.start), abs(high - t.end)))
        outside = int(((addresses < nearest.start) | (addresses + itemsize > nearest.end)).sum())
        before = low < nearest.start
        far = (nearest.start - low if before else high - nearest.end) // nearest.itemsize
        cause = (
            "the offset passes 2^31 and wraps around in 32 bits"
            if far > 1 << 30
            else "each address has to lie inside, or its lane be masked"
        )
        raise OutOfBounds(
            f"program {launch_index(self.program())} of {self.kernel} {kind}s {counted(outside, 'element')} outside "
            f"{nearest.name} {nearest.shape}, up to {far} {'before its start' if before else 'past its end'}; "
            f"{cause}"
        )


_meters: list[Traffic] = []
_passes = ModuleTracker()  # who knows whether autograd runs a backward pass
_launch: _Launch | None = None


@functools.cache
def install() -> bool:
    """Watch every launch of Triton's interpreter from now on. False if it is not the interpreter known here."""
    try:
        from triton import knobs
        from triton.runtime import interpreter
    except ImportError:
        return False
    if knobs.runtime.interpret:
        _as_on_a_gpu()
    builder, executor = interpreter.InterpreterBuilder, interpreter.GridExecutor
    if not _is_known(builder, executor, interpreter):
        return False

    def watch(name: str, kinds: tuple[str, ...], pointers: int, mask: int | None, values: int | None = None) -> None:
        original = getattr(builder, name)

        @functools.wraps(original)
        def watched(self: Any, *args: Any, **kwargs: Any) -> Any:
            for kind in kinds:
                _access(kind, args[pointers], None if mask is None else args[mask], values and args[values], kinds)
            return original(self, *args, **kwargs)

        setattr(builder, name, watched)

    watch("create_masked_load", ("load",), 0, 1)
    load = builder.create_masked_load

    @functools.wraps(load)
    def load_or_undefined(self: Any, ptrs: Any, taken: Any, other: Any, *args: Any, **kwargs: Any) -> Any:
        loaded = load(self, ptrs, taken, other, *args, **kwargs)
        if other is None:
            _spoil(loaded.data, np.asarray(taken.data, dtype=bool))
        return loaded

    builder.create_masked_load = load_or_undefined
    watch("create_masked_store", ("store",), 0, 2, 1)
    watch("create_atomic_rmw", ("load", "store"), 1, 3)
    watch("create_atomic_cas", ("load", "store"), 0, None)
    _count_programs(builder)
    _watch_launches(executor, interpreter, _counting(interpreter))
    return True


def _counting(interpreter: Any) -> type:
    """The interpreter's builder where what it does is told to the meters, and carries marks."""
    counting: Any = type("Counting", (interpreter.InterpreterBuilder,), {})
    load, store = counting.create_masked_load, counting.create_masked_store

    @functools.wraps(load)
    def load_of_a_table(self: Any, ptrs: Any, taken: Any, *args: Any, **kwargs: Any) -> Any:
        loaded = load(self, ptrs, taken, *args, **kwargs)
        if _is_of_a_table(ptrs, taken):
            mark(loaded)
        if loaded.data.dtype.kind in "iu" and _is_of_numbers(ptrs, taken, loaded.data.dtype.itemsize):
            mark_bits(loaded)
        return loaded

    @functools.wraps(store)
    def store_or_write_a_table(self: Any, ptrs: Any, value: Any, *args: Any, **kwargs: Any) -> Any:
        stored = store(self, ptrs, value, *args, **kwargs)
        if is_marked(value):
            _write_a_table(ptrs, args[0])
        return stored

    counting.create_masked_load, counting.create_masked_store = load_of_a_table, store_or_write_a_table
    folds = (interpreter.ReduceOps, interpreter.ScanOps)
    find_rounded(counting, *folds, _rounded)
    count_arithmetic(counting, folds, _meters)
    carry_marks(counting, folds, _reached)
    return cast(type, counting)


def _as_on_a_gpu() -> None:
    """From now on the interpreter computes, and refuses, what a GPU and its compiler do."""
    any_configuration()
    as_compiled(_told)
    never_within_itself()
    as_on_tensor_cores(_shortened)
    without_repeats()
    with_libdevice()
    in_halves()
    as_by_reciprocals()
    without_subnormals()


def _watch_launches(executor: Any, interpreter: Any, counting: type) -> None:
    """Note which tensors a launch is given, and which program is running. counting: the builder of one that is metered;
    of another one, in a call that is made again for its values, it is asked alone where it loads and stores.
    """
    original_call, builder = executor.__call__, interpreter.interpreter_builder

    @functools.wraps(original_call)
    def launched(self: Any, *args: Any, **kwargs: Any) -> Any:
        global _launch
        given = dict(zip(self.arg_names, args)) | kwargs
        given = {name: given[name] for name in self.arg_names if name in given}
        only_what_compiles(self.fn, self.constexprs, given)
        if any(meter.in_name for meter in _meters):
            _launch_in_name(self, given)
            return None
        with unseen():
            tensors = [t for name, value in given.items() for t in _tensors(name, value)]
            bases = [base_of(value) for value in given.values()]
            tables = tables_among(bases)
            for tensor in tensors_in(bases):
                for operators in [meter.operators for meter in _meters if meter.operators]:
                    operators.meet(tensor)
        for_values = CALLED_AGAIN.get() and not _meters
        outer, _launch = (
            _launch,
            _Launch(
                self.fn.__name__,
                tensors,
                lambda: builder.grid_idx,
                None if for_values else Owners((tensor.start, tensor.end) for tensor in tensors),
            ),
        )
        builder.__class__ = interpreter.InterpreterBuilder if for_values else counting
        for meter in _meters:
            meter.launch(self.fn.__name__, tables)
        try:
            return as_one_kernel(lambda: original_call(self, *args, **kwargs))
        finally:
            _launch = outer

    executor.__call__ = launched
    _move_unseen(executor)


def _launch_in_name(executor: Any, given: dict[str, Any]) -> None:
    grid = executor.grid(given) if callable(executor.grid) else executor.grid
    for meter in _meters:
        meter.launch(executor.fn.__name__, frozenset())
        meter.start(math.prod(map(int, grid)))


def _count_programs(builder: Any) -> None:
    """The interpreter runs one program after the other, and tells each its place in the grid."""
    original = builder.set_grid_idx

    @functools.wraps(original)
    def started(self: Any, *place: int) -> None:
        for meter in _meters:
            meter.start()
        original(self, *place)

    builder.set_grid_idx = started


def _move_unseen(executor: Any) -> None:
    """The interpreter moves the arguments of a launch to the kernel and back out of sight: those of the launch that has
    just begun, if nothing of the answer's is called on the way.
    """
    there, back = executor._init_args_hst, executor._restore_args_dev

    @functools.wraps(there)
    def to_kernel(self: Any, args: Any, kwargs: Any) -> Any:
        if _launch is None or _launch.moved is not None or not all(map(is_plain, (*args, *kwargs.values()))):
            return there(self, args, kwargs)
        with unseen():
            _launch.moved = there(self, args, kwargs)
        return _launch.moved

    @functools.wraps(back)
    def from_kernel(self: Any, args: Any, moved: Any, kwargs: Any, named: Any) -> Any:
        ours = _launch.moved if _launch else None
        if ours is None or moved is not ours[0] or named is not ours[1]:
            return back(self, args, moved, kwargs, named)
        with unseen():
            return back(self, args, moved, kwargs, named)

    executor._init_args_hst, executor._restore_args_dev = to_kernel, from_kernel


def _is_known(builder: Any, executor: Any, interpreter: Any) -> bool:
    """Whether the methods to be replaced take what they took in Triton 3.6 to 3.9."""
    known = {
        "create_masked_load": ["self", "ptrs", "mask", "other"],
        "create_masked_store": ["self", "ptrs", "value", "mask"],
        "create_atomic_rmw": ["self", "rmwOp", "ptr", "val", "mask"],
        "create_atomic_cas": ["self", "ptr", "cmp", "val"],
        "create_dot": ["self", "a", "b"],
        "create_fmul": ["self", "lhs", "rhs"],
        "set_grid_idx": ["self", "x", "y", "z"],
    }
    for name, first in known.items():
        method = getattr(builder, name, None)
        if method is None or list(inspect.signature(method).parameters)[: len(first)] != first:
            return False
    moves = {
        "__call__": ["self", "args_dev", "kwargs"],
        "_init_args_hst": ["self", "args_dev", "kwargs"],
        "_restore_args_dev": ["self", "args_dev", "args_hst", "kwargs", "kwargs_hst"],
    }
    reduces, scans = interpreter.ReduceOps, interpreter.ScanOps
    folds = [getattr(reduces, name, None) for name in ("apply_impl", "sum", "generic_reduce")]
    folds += [getattr(scans, name, None) for name in ("apply_impl", "cumsum", "cumprod", "generic_scan")]
    if not all(fold and list(inspect.signature(fold).parameters) == ["self", "input"] for fold in folds):
        return False
    return hasattr(reduces, "min_max") and all(
        hasattr(executor, name) and list(inspect.signature(getattr(executor, name)).parameters) == known
        for name, known in moves.items()
    )


def _tensors(name: str, value: Any) -> list[Tensor]:
    import torch

    base = base_of(value)
    if isinstance(base, torch.Tensor):
        if read.dtype_of(base) == torch.bfloat16:
            raise Unsupported(
                f"{name} is bfloat16, which Triton's interpreter computes wrongly (it multiplies the bits as if they "
                "were integers); use float16 or float32 here, and bfloat16 on a GPU"
            )
        shape, strides = tuple(read.size_of(base)), read.strides_of(base)
        span = sum((n - 1) * s for n, s in zip(shape, strides)) + 1 if read.length_of(base) else 0
        size, start = read.itemsize_of(base), read.address_of(base)
        memory, is_real = read.memory_of(base), read.is_real(base)
        return [Tensor(name, start, start + span * size, size, shape, strides, memory, is_real)]
    if isinstance(value, tuple):
        return [t for i, item in enumerate(value) for t in _tensors(f"{name}[{i}]", item)]
    return []


def _access(kind: str, pointers: Any, mask: Any, values: Any, kinds: tuple[str, ...]) -> None:
    """values: what is stored; None of a load, and of atomics, which are of two kinds."""
    if _launch is None:
        return
    addresses = np.asarray(pointers.data)
    itemsize = max(1, pointers.get_element_ty().primitive_bitwidth // 8)
    taken = np.broadcast_to(True if mask is None else np.asarray(mask.data, dtype=bool), addresses.shape)
    addresses = addresses[taken]
    if not addresses.size:
        for meter in _meters if kind == "load" else ():
            meter.ask(taken.size * _launch.elements_at(pointers.data.flat[0], itemsize))
        return
    tensor = _launch.holding(kind, addresses, itemsize)
    if _launch.owners is None:
        return
    if len(kinds) > 1:
        if pointers.get_element_ty().is_int():
            _launch.owners.synchronise(_launch.program())
    elif kind == "load":
        _launch.owners.load(_launch.program(), addresses)
        if tensor.is_real and 0 not in tensor.strides:  # no block numbers, nor what is one in memory
            again = _launch.owners.loaded_again(_launch.program(), addresses)
            for meter in _meters if again else ():
                meter.again[learner_line(meter.is_learners)] += again * itemsize
    else:
        _launch.owners.store(_launch.program(), addresses, np.broadcast_to(values.data, taken.shape)[taken])
    for meter in _meters:
        meter.note(kind, tensor, addresses, itemsize, _launch, taken.size * tensor.elements_in(itemsize))


def _is_of_a_table(pointers: Any, mask: Any) -> bool:
    """Whether what is loaded lies in a block table's memory, whatever view it is of, and whatever it is taken for."""
    memory = _memory_at("load", pointers, mask)
    return any(memory in meter.tables for meter in _meters)


def _write_a_table(pointers: Any, mask: Any) -> None:
    """Take down that a kernel has stored block numbers."""
    memory = _memory_at("store", pointers, mask)
    for meter in _meters if memory else ():
        meter.tables.add(memory)


def _is_of_numbers(pointers: Any, mask: Any, size: int) -> bool:
    """Whether the whole numbers that are loaded, of so many bytes, are floating-point numbers of 32 bits."""
    tensor = _tensor_at("load", pointers, mask) if size == FLOAT else None
    return tensor is not None and any(meter.size_of_a_number(tensor) == FLOAT for meter in _meters)


def _memory_at(kind: str, pointers: Any, mask: Any) -> int:
    """The address of the memory that a kernel loads from, or stores to; 0 where its mask leaves out everything."""
    tensor = _tensor_at(kind, pointers, mask)
    return tensor.storage if tensor else 0


def _tensor_at(kind: str, pointers: Any, mask: Any) -> Tensor | None:
    """The tensor; None where the mask leaves out everything."""
    addresses = np.asarray(pointers.data)[np.asarray(mask.data, dtype=bool)]
    return _launch.holding(kind, addresses[:1], 1) if _launch and addresses.size else None


def _shortened() -> None:
    for meter in _meters:
        meter.shortened = meter.shortened or learner_line(meter.is_learners)


def _reached(elements: int) -> None:
    for meter in _meters:
        meter.narrow[learner_line(meter.is_learners)] += elements


def _told(handle: Any) -> None:
    if numbers := numbers_told(handle):
        _rounded(numbers)


def _rounded(numbers: int) -> None:
    for meter in _meters:
        meter.rounded[learner_line(meter.is_learners)] += numbers


def _spoil(values: np.ndarray, mask: np.ndarray) -> None:
    """What a mask leaves out of a load without `other` is undefined on a GPU, so it is NaN (or the largest integer)."""
    if not mask.all():
        kind = values.dtype.kind
        undefined = np.nan if kind == "f" else np.iinfo(values.dtype).max if kind in "iu" else 1
        np.copyto(values, undefined, where=~mask, casting="unsafe")
