"""Call the learner's function once and record all that the judge wants to know."""

from __future__ import annotations

import contextlib
import functools
import importlib.util
import random
import re
import sys
import sysconfig
import traceback
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from .arrays import VECTOR, Stream, arrays_in, as_numpy, as_torch, copy_argument, is_float, same_bits
from .failure import Failure, said_of
from .meters.held import KEEPS, Held, held_by
from .meters.idle import FACTOR, ONES, constant, idle
from .meters.lines import Lines
from .meters.operations import home_of
from .meters.sharing import shared
from .meters.spies import READER, Spies
from .meters.traffic import Traffic, install
from .play import play
from .tensors.normalised import Normalised, with_ones
from .wall.no_input import no_input
from .wall.out_of_time import Timeout

_FOLDERS = [sysconfig.get_path("stdlib"), sysconfig.get_path("purelib"), str(Path(np.__file__).parent.parent)]
LIBRARIES = tuple({str(Path(folder).resolve()) for folder in _FOLDERS})
PATIENCE = 3.0  # seconds that a rank may go on without a wait or an end, many times what a case takes
ROUNDED = "float32 rounded to TF32"  # an operation that is not forbidden, but may be why values are wrong
CALLED_AGAIN = ContextVar("called_again", default=False)  # with other numbers, or without its helpers
FEW_NUMBERS = 1000  # in the arguments of a call that is worth making twice
MANY_NUMBERS = 1_000_000  # in those of one that is worth making again and again
RUNNER = str(Path(__file__).resolve().parent)
ASKS_FOR_A_GPU = re.compile(r"\bis_cuda\b|active drivers|compiled with CUDA|NVIDIA driver|a cuda device")
NO_GPU_NEEDED = "(no GPU is needed: make tensors on x.device, whatever it is)"
SIMT = str(Path(importlib.util.find_spec("simt").origin or "").resolve().parent)  # type: ignore[union-attr]


@dataclass
class Observation:
    """What one call did. `outputs` is None where the call failed; a wrong type of output is a Failure too."""

    outputs: list[np.ndarray] | None = None
    failure: Failure | None = None
    operations: dict[str, int] = field(default_factory=dict)  # name -> first line
    inputs_changed: bool = False
    shared: list[str] = field(default_factory=list)  # for each output, whose memory it lies in: see `sharing.shared`
    counts: dict[str, int] = field(default_factory=dict)  # by the names of METERS; what was not counted is not there
    lines: dict[str, int] = field(default_factory=dict)  # the answer's line that did most of each
    kernels: list[str] | None = None  # names of the Triton kernels launched; None where that was not watched
    written: set[int] | None = None  # addresses of the memory they stored into; stays in this process
    called: dict[str, int] = field(default_factory=dict)  # how often what was spied on: see `spies`
    idle: list[str] = field(default_factory=list)  # what was used in name only: see `idle`
    constant: list[str] = field(default_factory=list)  # what was given the same for other inputs: see `idle`
    read: list[list[int]] = field(default_factory=list)  # tokens of a model's steps in each operation: see `spies`
    on_gpu: bool = False  # whether Triton compiled the kernels and a GPU ran them

    def note(self, meter: str, count: int, line: int = 0) -> None:
        """Write down what a meter of METERS counted, and the line that did most of it."""
        self.counts[meter], self.lines[meter] = count, line


@functools.lru_cache(maxsize=4096)  # it is asked for every frame between an operation of torch's and the learner
def is_learners(filename: str) -> bool:
    """Whether code compiled from `filename` is the learner's: not a library's, not the standard library's, not ours."""
    if filename.startswith(("<frozen", "<string", "<__array_function__", "<decorator-gen")):
        return False
    return not filename.startswith((*LIBRARIES, RUNNER, SIMT, sys.prefix))


def observe(
    function: Callable[..., Any], arguments: dict[str, Any], backend: str, once: bool = False,
    spied: Sequence[str] = (), counted: bool = True, anew: Callable[[], Any] | None = None,
) -> Observation:  # fmt: skip
    """Call `function(**arguments)` on fresh copies of the arguments; for a class, `play` the arguments.

    backend "torch" passes numpy arrays as torch tensors that share their memory and records torch's operators; "triton"
    does too, on the GPU if there is one; "cuda" watches the kernels without a GPU, and "cuda on gpu" runs them on one;
    "ranks" calls it on all ranks (see `ranks`). once: make the call once; otherwise one with small arguments is made
    twice (see `rehearsed`), and an object is driven in turns with another. spied: functions and classes whose calls
    count. counted: lines and bytes in numpy do too. anew: gives the function as it is before its first call, where it
    can be defined anew: the only call is made of such a one, and so is each that is held against it. Raises nothing but
    KeyboardInterrupt.
    """
    result, before, between, things = None, None, _nothing, list[Any]()
    on_gpu = backend == "cuda on gpu" or (backend == "triton" and not interpreted())
    if anew is None or on_gpu:  # where kernels would be compiled anew, too
        anew = functools.partial(_as_it_is, function)
    with called_again():
        function = anew() if once or READER in spied else function
    seen = Observation(on_gpu=on_gpu and backend == "triton")
    given = handed_over(copies := _copies(arguments), backend, on_gpu)
    twice = not (once or on_gpu or isinstance(function, type) or backend == "ranks") and is_small(arguments)
    with contextlib.ExitStack() as stack:
        stack.enter_context(_quiet())
        if twice:
            with Spies(function, spied):  # which the answer may keep for the call that counts
                given, before = _called_before(seen, function, arguments, backend, given, copies)
        held = held_by(function, is_learners)  # now: what is made in the call is in the meter's count
        spies = stack.enter_context(Spies(function, spied))
        if counted or backend != "numpy":
            known = None if isinstance(function, type) else given
            between = stack.enter_context(_meters(seen, backend, known, home_of(function), spies))
        try:
            if isinstance(function, type):
                hooks: dict[str, Any] = {"between": between, "operation": spies.operation, "things": things}
                result = play(function, **given, marks=seen.shared, turn=None if once else _turn(arguments), **hooks)
            else:
                with spies.operation():
                    result = _called(seen, function, given, backend)
            if on_gpu:
                _wait_for_gpu()
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            seen.failure = describe(error, home_of(function))
    seen.called, seen.read = dict(spies.called), spies.read
    _note_what_is_held(seen, held, things, alike=1 if once else 2)
    with Spies(function, spied):
        things.clear()  # its generators end, and may take what is counted
    if seen.failure is None:
        _note_results(seen, function, result, given, before, backend)
    if seen.outputs is not None and (once or isinstance(function, type)):
        seen.outputs = [output.copy() for output in seen.outputs]  # an answer that keeps its memory overwrites them
        note = _note_reading_for_show if isinstance(function, type) else _note_what_is_for_show
        note(seen, anew, arguments, backend, spies, spied)
    if on_gpu and seen.failure:
        return seen  # after a bad access there may be nothing left to read
    seen.inputs_changed |= not _untouched(given, arguments)
    return seen


def _wait_for_gpu() -> None:
    """Raises what a kernel did wrong."""
    import torch

    torch.cuda.synchronize()


def _note_reading_for_show(
    seen: Observation, anew: Callable[[], Any], arguments: dict[str, Any], backend: str, *_: Any
) -> None:
    """Whether an object has read something, and says the same where it reads something else."""
    if any(map(any, seen.read)):
        again = functools.partial(_outputs_of, arguments, backend=backend, on_gpu=seen.on_gpu)
        with called_again():
            seen.idle = idle(anew, [READER], False, seen.outputs or [], again)


def _note_what_is_for_show(
    seen: Observation,
    anew: Callable[[], Any],
    arguments: dict[str, Any],
    backend: str,
    spies: Spies,
    spied: Sequence[str],
) -> None:
    """What the call made use of in name only, found by calls that are altered."""
    on_gpu = backend == "cuda on gpu" or seen.on_gpu
    outputs_of = functools.partial(_outputs_of, backend=backend, on_gpu=on_gpu)
    again = functools.partial(outputs_of, arguments)
    multiplies = seen.counts.get("multiplications", 0) > 0
    factors = [name for name in arguments if FACTOR + name in spied]
    less = arguments | {name: (arguments[name] * 0.5).astype(arguments[name].dtype) for name in factors}
    halved = functools.partial(outputs_of, less) if factors else None
    with called_again():
        if ONES in spied:
            with contextlib.suppress(Exception), Normalised() as normalised:
                outputs_of(with_ones(arguments), anew())
                seen.note("normalised", normalised.rows)
        names = sorted(spies.numeric | _some_of(spies.loaded_again, arguments))
        seen.idle = idle(anew, names, multiplies, seen.outputs or [], again, halved)
        if sum(x.size for x in arrays_in(arguments)) <= MANY_NUMBERS:
            others = functools.partial(outputs_of, _with_other_numbers(arguments))
            seen.constant = constant(anew, sorted(spies.numeric), again, others)


def _as_it_is(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, where it cannot be defined anew."""
    return function


def _outputs_of(
    arguments: dict[str, Any], function: Callable[..., Any], backend: str, on_gpu: bool
) -> list[np.ndarray] | None:
    """What another call returns; None if that is no answer."""
    with _quiet():
        given = handed_over(_copies(arguments), backend, on_gpu)
        result = _called(Observation(), function, given, backend)
        return to_arrays(result, backend)[0]


def _called(seen: Observation, function: Callable[..., Any], given: dict[str, Any], backend: str) -> Any:
    """What the function returns, or an object of the class says: of ranks what all of them return, one behind the
    other, and what they did is noted.
    """
    if isinstance(function, type):
        return play(function, **given)
    if backend != "ranks":
        return function(**given)
    from .ranks.run import run

    done = run(function, given, is_learners, PATIENCE)
    commons = {name: as_numpy(value) for name, value in given.items() if type(value) is not list}
    seen.inputs_changed |= any(not _untouched(of_rank, commons) for of_rank in done.given)
    for rank, names in enumerate(done.names):
        seen.operations = done.meters[rank].lines | names.lines | seen.operations
    if done.error is not None:
        raise done.error
    fullest = max(done.meters, key=lambda meter: meter.peak)
    seen.note("peak_bytes", fullest.peak, fullest.largest_line)
    seen.note("operators", max(meter.count for meter in done.meters))
    seen.note("sent_bytes", done.sent_bytes, done.line)
    seen.note("messages", done.messages, done.line)
    seen.note("rounds", len(done.rounds), done.line)
    arrived = [span for span in done.spans if span.kind == "receive"]
    seen.note("astray", sum(span.rank != (span.source + 1) % len(done.given) for span in arrived), done.line)
    seen.note("received_bytes", done.received_bytes)
    seen.note("work", done.work)
    seen.note("work_at_once", done.most_at_once)
    seen.note("clock", done.clock, done.waited_line)
    results: list[Any] = []
    for rank, result in enumerate(done.results):
        if problem := to_arrays(result, "ranks")[1]:
            raise TypeError(f"{problem}, on rank {rank}")
        results += result if type(result) in (tuple, list) else [result]
    return results


def _copies(arguments: dict[str, Any]) -> dict[str, Any]:
    return {name: copy_argument(value) for name, value in arguments.items()}


def _untouched(given: dict[str, Any], arguments: dict[str, Any]) -> bool:
    """Whether what a call was given is as it was, and no tensor of it is marked for gradients, as none was."""
    if any(getattr(value, "requires_grad", False) for value in given.values()):
        return False
    return all(same_bits(value, as_numpy(given[name])) for name, value in arguments.items())


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Within this context neither Python nor numpy warns, and input() asks nobody."""
    with warnings.catch_warnings(), np.errstate(all="ignore"), no_input():
        warnings.simplefilter("ignore")
        yield


@contextlib.contextmanager
def called_again() -> Iterator[None]:
    """Within this context what the function prints has been printed, or will be: see CALLED_AGAIN."""
    token = CALLED_AGAIN.set(True)
    try:
        yield
    finally:
        CALLED_AGAIN.reset(token)


def _note_results(
    seen: Observation, function: Callable[..., Any], result: Any, given: dict[str, Any], before: Any, backend: str
) -> None:
    """Take down what a call returned, and in whose memory it lies."""
    if not isinstance(function, type):
        results: Any = result if type(result) in (tuple, list) else [result]
        seen.shared = shared(results, given, before=before, written=seen.written)
    seen.outputs, problem = to_arrays(result, backend)
    if problem:
        seen.failure = Failure("TypeError", problem)


def handed_over(copies: dict[str, Any], backend: str, on_gpu: bool) -> dict[str, Any]:
    """The arguments as the function is given them; tensors share the arrays' memory, but on a GPU."""
    if backend == "numpy":
        return copies
    tensors = {name: as_torch(value) for name, value in copies.items()}
    return {name: to_gpu(value) for name, value in tensors.items()} if on_gpu else tensors


def is_small(arguments: dict[str, Any]) -> bool:
    """Whether a second call costs next to nothing, and can be made with the same memory."""
    streams = any(isinstance(value, Stream) for value in arguments.values())
    return not streams and sum(x.size for x in arrays_in(arguments)) <= FEW_NUMBERS


def _called_before(
    seen: Observation,
    function: Callable[..., Any],
    arguments: dict[str, Any],
    backend: str,
    given: dict[str, Any],
    copies: dict[str, Any],
) -> tuple[dict[str, Any], Any]:
    """The arguments for the call that counts, and what one with other numbers returned before it: see `rehearsed`."""
    # Numpy's meter is left out, which would count what the first call leaves to Python's own caches.
    meters = (
        contextlib.nullcontext() if backend == "numpy" else _meters(Observation(), backend, given, home_of(function))
    )
    with meters, called_again():
        before = rehearsed(function, given, copies, arguments)
    if _untouched(given, arguments):
        return given, before
    seen.inputs_changed = True  # a list, say: the call that counts begins with what it held
    return handed_over(_copies(arguments), backend, on_gpu=False), None


def _with_other_numbers(arguments: dict[str, Any]) -> dict[str, Any]:
    """Copies of the arguments that hold other numbers, of the same shapes."""
    copies = _copies(arguments)
    _make_others_of(arrays_in(copies))
    return copies


def _make_others_of(arrays: Iterable[np.ndarray]) -> None:
    """Put other floating-point numbers in place of those that are there."""
    for x in arrays:
        if is_float(x.dtype):
            x[...] = 2 * x + 1


def rehearsed(
    function: Callable[..., Any], given: dict[str, Any], copies: dict[str, Any], arguments: dict[str, Any]
) -> Any:
    """What the function returns for other numbers in the same memory, None if it raises. The right ones stand there
    again after it: whoever remembers a call by its arguments' addresses, or keeps its results' memory, is found out.
    """
    views = [x.view() for x in arrays_in(copies)]  # which stay as they are if the function changes an array's own form
    _make_others_of(views)
    try:
        return function(**given)
    except (KeyboardInterrupt, Timeout):
        raise
    except BaseException:
        return None
    finally:
        for x, right in zip(views, arrays_in(arguments), strict=True):
            x[...] = right


def _note_what_is_held(seen: Observation, held: Held, things: list[Any], alike: int) -> None:
    """Add what no operation of torch's allocated. alike: how many objects like this one were driven in turns."""
    of_things = [held_by(x, is_learners, tensors=False) for x in things]
    for name in held.unknown.union(*(held_of.unknown for held_of in of_things)):
        seen.operations[KEEPS + name] = 0
    if "peak_bytes" not in seen.counts:
        return
    beside = held.bytes + sum(held_of.bytes for held_of in of_things)
    seen.counts["peak_bytes"] += beside
    if things:
        seen.counts["held_bytes"] = seen.counts["held_bytes"] // alike + beside


def _turn(arguments: dict[str, Any]) -> int:
    """Which of two objects, driven in turns, is looked at."""
    return _drawn_by(arguments).randrange(2)


def _some_of(loaded: Sequence[Sequence[str]], arguments: dict[str, Any]) -> set[str]:
    """Two loads of each tensor: one that is for show is found as likely as such are frequent, case by case."""
    draw = _drawn_by(arguments)
    return {name for names in loaded for name in draw.sample(names, min(2, len(names)))}


def _drawn_by(arguments: dict[str, Any]) -> random.Random:
    """Random numbers that no answer knows, and that are always the same of one case."""
    return random.Random(repr(arguments))


def _nothing() -> None:
    """What is called where nothing is counted."""


@contextlib.contextmanager
def _meters(
    seen: Observation, backend: str, given: dict[str, Any] | None, home: str, spies: Spies | None = None
) -> Iterator[Callable[[], None]]:
    """Count what is done within this context. Yields what is to be called between two operations of an object.

    home: the answer's file. Of what it calls from another, the line of the call is named: a card quotes the answer.
    """
    if backend == "numpy":
        lines = Lines(is_learners, home)
        with lines:
            yield _nothing
        if not lines.was_stopped:
            seen.note("peak_bytes", lines.peak, lines.peak_line)
            seen.note("steps", lines.steps)
        return
    if backend.startswith("cuda"):
        with cuda_meters(seen), unwritten_is_nan():
            yield _nothing
        return
    if backend == "ranks":  # each of which has meters of its own
        with unwritten_is_nan():
            yield _nothing
        return
    from .meters.operations import FunctionNames, OperatorsAndBytes

    operators = OperatorsAndBytes(is_learners, given, spies, home)
    names = FunctionNames(home, operators)
    with contextlib.ExitStack() as stack:
        traffic = (
            stack.enter_context(Traffic(home.__eq__, operators=operators))
            if backend == "triton" and install()
            else None
        )
        if backend == "triton":
            stack.enter_context(unwritten_is_nan())
        stack.enter_context(names)
        stack.enter_context(operators)
        yield operators.note_held
    if backend == "triton" and traffic is None:
        return  # an interpreter that is not known, whose own operations look like the answer's
    seen.operations = operators.lines | names.lines
    seen.note("peak_bytes", operators.peak, operators.largest_line)
    seen.note("held_bytes", operators.held, operators.largest_line)
    seen.note("operators", operators.count, operators.busiest_line)
    seen.note("copied_inputs", operators.copied)
    if backend != "triton":
        seen.note("products", operators.products)
        seen.note("product_calls", operators.product_calls)
        seen.note("computed", operators.computed, operators.busiest_line)
    if traffic and interpreted():
        _note_traffic(seen, traffic)


def _note_traffic(seen: Observation, traffic: Traffic) -> None:
    """What the interpreter's kernels did."""
    seen.note("loaded_bytes", traffic.loads, traffic.busiest_line)
    seen.note("input_bytes", traffic.of_inputs)
    seen.note("stored_bytes", traffic.stores, traffic.busiest_line)
    seen.note("busiest_bytes", traffic.busiest)
    seen.note("programs", *traffic.programs)
    seen.note("widest_access", traffic.widest, traffic.widest_line)
    seen.note("asked_elements", *traffic.asked_in_all)
    seen.note("products", *traffic.products)
    seen.note("product_calls", *traffic.product_calls)
    seen.note("natural", *traffic.natural_exponentials)
    seen.note("backward_products", traffic.backwards)
    seen.note("by_number", *traffic.numbers)
    seen.note("computed", traffic.computed, traffic.numbers[1])
    seen.note("narrow_offsets", *traffic.narrow_offsets)
    seen.note("rounded", *traffic.rounded_numbers)
    seen.kernels, seen.written = sorted(traffic.kernels), traffic.written
    if traffic.shortened:
        seen.operations[ROUNDED] = traffic.shortened


@contextlib.contextmanager
def cuda_meters(seen: Observation) -> Iterator[None]:
    """What the instruments of `simt` count; nothing on a GPU."""
    from simt import cpu

    with cpu.watch() as report:
        try:
            yield
        finally:
            if report.kernels:
                total = report.total
                seen.note("loaded_bytes", total.loaded, report.busiest("moved"))
                seen.note("stored_bytes", total.stored, report.busiest("moved"))
                seen.written = None if total.stored else set()
                seen.note("sectors", total.sectors, report.busiest("wasted"))
                seen.note("multiplications", total.multiplied // 32)
                if total.multiplied:
                    seen.operations["mma_m16n8k16"] = report.busiest("multiplied")
                seen.note("copied_bytes", total.copied)
                seen.note("overlapped", total.overlapped // 32)
                seen.note("bank_conflicts", total.conflicts, report.busiest("conflicts"))
                seen.note("shared_requests", total.shared_requests, report.busiest("shared_requests"))
                seen.note("shared_bytes", total.shared_bytes, report.busiest("shared_bytes"))
                seen.note("thread_loads", report.busiest_loader, report.busiest("loaded"))
                seen.note("thread_bytes", report.busiest_thread, report.busiest("stored"))
                seen.note("block_bytes", report.busiest_block, report.busiest("moved"))
                seen.note("vanished", report.most_vanished, report.busiest("vanished"))
                seen.note("thread_exponentials", report.most_exponentials, report.busiest("exponentials"))
                seen.note("shuffles", total.shuffles, report.busiest("shuffles"))
                seen.note("thread_reads", report.busiest_reader, report.busiest("shared_bytes"))
                seen.note("thread_writes", report.busiest_writer, report.busiest("shared_bytes"))
                seen.note("rounded", total.rounded, report.busiest("rounded"))


def interpreted() -> bool:
    """Whether Triton runs kernels in its interpreter, which was decided when it was first imported."""
    from triton import knobs

    return bool(knobs.runtime.interpret)


def to_gpu(value: Any) -> Any:
    """A tensor's copy on the GPU with the same strides, and zeros between its elements; anything else as it is.

    Contiguous where the GPU has no room for what lies between.
    """
    import torch

    if not isinstance(value, torch.Tensor):
        return value
    span = sum((n - 1) * step for n, step in zip(value.shape, value.stride())) + 1 if value.numel() else 0
    offset = value.data_ptr() % VECTOR // value.element_size()
    if span * value.element_size() > torch.cuda.mem_get_info()[0] // 8:  # several arguments may be like that
        return value.cuda(memory_format=torch.contiguous_format)
    memory = torch.zeros(offset + span, dtype=value.dtype, device="cuda")
    there = memory.as_strided(value.shape, value.stride(), offset)
    once = tuple(slice(0, None if step else 1) for step in value.stride())  # what lies in one place is written once
    there[once].copy_(value[once])
    return there


@contextlib.contextmanager
def unwritten_is_nan() -> Iterator[None]:
    """Within this context new memory is full of NaN (or the largest integers), so that what stays unwritten shows."""
    import torch

    setting: Any = torch.utils.deterministic
    before = torch.get_deterministic_debug_mode(), setting.fill_uninitialized_memory
    torch.set_deterministic_debug_mode("warn")  # as torch.use_deterministic_algorithms, without importing its compiler
    setting.fill_uninitialized_memory = True
    try:
        yield
    finally:
        torch.set_deterministic_debug_mode(before[0])
        setting.fill_uninitialized_memory = before[1]


def describe(error: BaseException, home: str = "") -> Failure:
    """The exception as data, with the last traceback line that lies in the learner's code.

    home: the file of the answer. One of its lines comes before those of the functions that it uses, which work; but
    not where one of them is still to be written.
    """
    around = [error]
    while type(error).__name__ == "InterpreterError" and error.__cause__ is not None:  # Triton's, around the real one
        error = error.__cause__
        around.insert(0, error)
    failure = Failure(type(error).__name__, said_of(error), step=getattr(error, "step", 0))
    if type(error).__module__ == f"{__package__}.ranks.world":  # of the ranks together, at a line of one of them
        kind, line = getattr(error, "kind", failure.kind), getattr(error, "line", 0)
        return Failure(str(kind), failure.message, line, getattr(error, "text", ""))
    if type(error).__module__ == "simt.errors":  # of a kernel, which knows its own lines
        kind, message = getattr(error, "kind", failure.kind), getattr(error, "message", failure.message)
        return Failure(kind, message[:500], getattr(error, "line", 0), getattr(error, "text", ""))
    if isinstance(error, SyntaxError):
        failure.line, failure.text = error.lineno or 0, (error.text or "").strip()
        return failure
    # One that begins outside of the learner's code, as a call with too few arguments does, has its line further out.
    traces = (traceback.extract_tb(each.__traceback__) for each in around)
    found = ([frame for frame in trace if is_learners(frame.filename)] for trace in traces)
    frames = next(filter(None, found), [])
    if not failure.is_hole:
        frames = [frame for frame in frames if frame.filename == home] or frames
    if frames:
        failure.line, failure.text, failure.function = frames[-1].lineno or 0, frames[-1].line or "", frames[-1].name
    if ASKS_FOR_A_GPU.search(f"{failure.message} {failure.text}"):
        failure.message = f"{failure.message} {NO_GPU_NEEDED}".lstrip()
    return failure


def to_arrays(result: Any, backend: str) -> tuple[list[np.ndarray] | None, str]:
    """The returned value as a list of plain numpy arrays, or a sentence that says why it cannot be one.

    Only exact types are taken (no subclasses), so an object that lies about itself never reaches a comparison.
    """
    items = list(result) if type(result) in (tuple, list) else [result]
    arrays: list[np.ndarray] = []
    for i, item in enumerate(items):
        where = f"output {i + 1}" if len(items) > 1 else "the output"
        array = _plain_array(item, backend)
        if array is None:
            wanted = "a numpy array or a number" if backend == "numpy" else "a torch tensor"
            dtype = _dtype_of(item)
            if dtype and not any(kind in dtype for kind in ("float", "int", "bool")):
                return None, f"{where} is of dtype {dtype}; expected floating-point or whole numbers"
            return None, f"{where} is of type {type(item).__name__[:100]}; expected {wanted}"
        arrays.append(array)
    return arrays, ""


def _dtype_of(item: Any) -> str:
    """That of an array or a tensor, of these types exactly; "" of anything else."""
    torch = sys.modules.get("torch")
    is_plain = type(item) is np.ndarray or (torch is not None and type(item) is torch.Tensor)
    return str(item.dtype) if is_plain else ""


def _plain_array(item: Any, backend: str) -> np.ndarray | None:
    if backend != "numpy":
        import torch

        if type(item) is torch.Tensor and backend in ("triton", "cuda on gpu"):
            item = item.cpu()
        if type(item) is torch.Tensor and item.device.type == "cpu" and item.layout == torch.strided:
            item = as_numpy(item.resolve_conj().resolve_neg())
    if type(item) is int:  # which has no end: one beyond 64 bits is wrong, and a number still
        item = max(-(2**63), min(item, 2**64 - 1))
    if isinstance(item, (np.floating, np.integer, np.bool_)) and type(item).__module__ == "numpy":
        item = np.asarray(item)
    if type(item) is np.ndarray and (item.dtype.kind in "iub" or is_float(item.dtype)):
        if item.dtype == np.longdouble:  # which no message carries
            item = item.astype(np.float64)
        return np.ascontiguousarray(item).reshape(item.shape)
    if type(item) in (int, float, bool):
        return np.asarray(item)
    return None
