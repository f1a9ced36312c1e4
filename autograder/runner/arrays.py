"""Arrays with their strides, bfloat16 among them; the stream that can be read only once, and attention with a cache."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakKeyDictionary, ref

import ml_dtypes
import numpy as np

from . import wide

ALIGNMENT = 256  # bytes
VECTOR = 16  # bytes that a GPU reads at once, from an address that is a multiple of it
MOST_AXES = 8  # of an array that a call returns: many more than any is asked for
MOST_ROOM = 1 << 40  # see `room_of`
BFLOAT16 = np.dtype(ml_dtypes.bfloat16)  # which numpy itself lacks


def is_float(dtype: np.dtype) -> bool:
    """Whether it is a floating-point dtype, bfloat16 included."""
    return dtype.kind == "f" or dtype == BFLOAT16


def room_of(shape: Sequence[int]) -> int:
    """How many numbers an array would have if its axes without a place had one: what is empty has long axes, too."""
    return math.prod(n or 1 for n in shape)


class Stream:
    """Items that arrive one at a time and can be read only once, as an online algorithm sees its input.

    Reading it a second time raises RuntimeError: the check proves "one pass" by construction. Every array is handed out
    as a fresh copy, so that whoever keeps the items pays for them in memory. No attribute of a stream leads to them:
    see `items_of`.
    """

    __slots__ = ("__weakref__",)

    def __init__(self, items: Sequence[Any]):
        _HELD[self] = _Held(items)

    def __iter__(self) -> Iterator[Any]:
        held = _HELD[self]
        if held.is_read:
            raise RuntimeError("the stream was read a second time; an online algorithm sees every item once")
        held.is_read = True
        for item in held.items:
            if isinstance(item, np.generic):  # thousands, perhaps, and nobody changes a number
                yield item
                continue
            handed_out = _fresh(item)
            held.note(handed_out)
            yield handed_out
            held.is_changed |= not same_bits(item, handed_out)
            del handed_out  # before the next one is made

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise TypeError("a stream cannot be copied")


@dataclass
class _Held:
    """What is known of a stream. is_changed: whether the reader wrote into an item."""

    items: Sequence[Any]
    is_read: bool = False
    is_changed: bool = False
    given: list[ref[np.ndarray]] = field(default_factory=list)  # what owns the memory of the items handed out

    def note(self, item: Any) -> None:
        if isinstance(item, np.ndarray):
            self.given = [memory for memory in self.given if memory() is not None]
            self.given.append(ref(owner_of(item)))


_HELD: WeakKeyDictionary[Stream, _Held] = WeakKeyDictionary()


def owner_of(array: np.ndarray) -> np.ndarray:
    """The array that owns the memory of one that may be a view."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array


def still_held_of(stream: Stream) -> list[np.ndarray]:
    """What owns the memory of the items that a stream has handed out and that somebody still holds."""
    return [memory for held in _HELD[stream].given if (memory := held()) is not None]


def items_of(stream: Stream) -> Sequence[Any]:
    """All items of a stream, for the checker."""
    return _HELD[stream].items


class Earlier(tuple[Any, ...]):
    """Causal attention behind earlier tokens, as a layer is handed it: (k, v), theirs, each (B, H_kv, n, d).

    It is called once, with q (B, H, N, d) and k, v (B, H_kv, N, d) of the N newest tokens, and returns o (B, H, N, d).
    A cache in its place would take other heads for what they are not, and what comes a second time for later tokens:
    so both raise, here as there.
    """

    asked = False

    def __call__(self, q: Any, k: Any, v: Any) -> Any:
        import torch

        before, n, group = self[0].shape[2], q.shape[2], q.shape[1] // max(1, k.shape[1])
        if self.asked:
            raise RuntimeError("attend is called a second time for the same tokens: a cache would hold them twice")
        self.asked = True
        for name, new, kept in (("k", k, self[0]), ("v", v, self[1])):
            expected = (*kept.shape[:2], n, kept.shape[3])
            if tuple(new.shape) != expected:
                raise ValueError(f"attend is given {name} {tuple(new.shape)}; the cache behind it takes {expected}")
        k, v = (torch.cat(pair, dim=2).repeat_interleave(group, dim=1) for pair in zip(self, (k, v), strict=True))
        hidden = torch.ones(n, before + n, dtype=torch.bool, device=q.device).triu(before + 1)
        scores = (q @ k.mT / q.shape[3] ** 0.5).masked_fill(hidden, -torch.inf)
        return torch.softmax(scores, dim=-1) @ v


def copy_with_strides(array: np.ndarray) -> np.ndarray:
    """A fresh copy of `array` with the same strides and place, so that a copy of a view is still like that view."""
    fresh = empty_with_strides(array.shape, array.dtype, array.strides, offset_of(array))
    fresh[...] = array
    return fresh


def offset_of(array: np.ndarray) -> int:
    """How many bytes behind a multiple of VECTOR an array begins: 0, unless it is a view such as x[1:]."""
    return address_of(array) % VECTOR


def address_of(array: np.ndarray) -> int:
    """Where an array begins. Not from `ctypes`, which makes two objects on the way, and streams copy many arrays."""
    address: int = array.__array_interface__["data"][0]
    return address


def empty_with_strides(
    shape: tuple[int, ...], dtype: np.dtype, strides: tuple[int, ...], offset: int = 0
) -> np.ndarray:
    """An array of zeros of `shape` whose strides (bytes, not negative) are `strides`.

    It begins `offset` bytes behind an address that is aligned as memory of a GPU is.
    """
    span = dtype.itemsize + sum((n - 1) * s for n, s in zip(shape, strides, strict=True)) if 0 not in shape else 0
    if span >= wide.FROM:
        return wide.empty(shape, dtype, strides, span, offset)
    buffer = np.zeros(span + ALIGNMENT + offset, dtype=np.uint8)
    return np.ndarray(shape, dtype, buffer, offset=-address_of(buffer) % ALIGNMENT + offset, strides=strides)


def returned(result: Any) -> list[Any]:
    """What a function has returned, one by one: the items of a tuple or a list, of whatever class, or the one thing.

    What an answer's own class says of its items, or of itself, is not asked.
    """
    for kind in (tuple, list):
        if issubclass(type(result), kind):
            return [*kind.__iter__(result)]
    return [result]


def changed(value: Any, change: Callable[[Any], Any]) -> Any:
    """One argument, or all, with `change(x)` in place of each array, tensor and number x, wherever it stands."""
    if isinstance(value, Stream):
        return Stream([changed(item, change) for item in items_of(value)])
    if isinstance(value, (list, tuple)):
        return type(value)(changed(item, change) for item in value)
    if isinstance(value, dict):
        return {key: changed(item, change) for key, item in value.items()}
    return change(value)


def copy_argument(value: Any) -> Any:
    """A deep copy of one argument, or of all: arrays keep their strides, a stream can be read again.

    It is not written with `changed`: a stream makes copies in the midst of a call whose memory is metered, which would
    count each function that is called on the way.
    """
    if isinstance(value, np.ndarray):
        return copy_with_strides(value)
    if isinstance(value, Stream):
        return Stream(items_of(value))  # which nobody can change: each is handed out as a copy
    if isinstance(value, (list, tuple)):
        return type(value)(copy_argument(item) for item in value)
    if isinstance(value, dict):
        return {key: copy_argument(item) for key, item in value.items()}
    return value


def _fresh(item: Any) -> Any:
    """A copy of what a stream hands out, of which there may be thousands: only views keep their strides."""
    if isinstance(item, np.ndarray) and item.flags.c_contiguous:
        return item.copy()
    return copy_argument(item)


def widened(value: Any) -> Any:
    """The arguments with their floating-point numbers in float64."""
    return changed(value, lambda x: x.astype(np.float64) if _is_of_floats(x) else x)


def _is_of_floats(value: Any) -> bool:
    return isinstance(value, np.ndarray | np.generic) and is_float(value.dtype)


def arrays_in(value: Any) -> Iterator[np.ndarray]:
    """All arrays among the values, wherever they stand."""
    if isinstance(value, np.ndarray | np.generic):
        yield np.asarray(value)
    elif isinstance(value, (Stream, list, tuple, dict)):
        items = items_of(value) if isinstance(value, Stream) else value.values() if isinstance(value, dict) else value
        if are_numbers(items):
            yield np.asarray([*items])
            return
        for item in items:
            yield from arrays_in(item)


def are_numbers(items: Iterable[Any]) -> bool:
    """Whether all are numbers of numpy's and of one dtype: thousands, perhaps, of a stream."""
    kinds = {type(item) for item in items}
    return len(kinds) == 1 and issubclass(kinds.pop(), np.generic)


def as_torch(value: Any, dtype: Any = None) -> Any:
    """The argument with every numpy array as a torch tensor sharing its memory (floats cast to `dtype`, if given)."""
    return changed(value, lambda x: _tensor(x, dtype))


def _tensor(value: Any, dtype: Any) -> Any:
    import torch

    if isinstance(value, np.generic) and np.issubdtype(value.dtype, np.floating):
        value = np.asarray(value)
    if not isinstance(value, np.ndarray):
        return value
    if value.dtype == BFLOAT16:
        tensor = torch.from_numpy(value.view(np.int16)).view(torch.bfloat16)
    else:
        tensor = torch.from_numpy(value)
    return tensor.to(dtype) if dtype is not None and tensor.is_floating_point() else tensor


def as_numpy(value: Any) -> Any:
    """The inverse of `as_torch`, from the CPU or a GPU."""
    if hasattr(value, "untyped_storage"):
        import torch

        here = value.detach().cpu()
        return here.view(torch.int16).numpy().view(BFLOAT16) if here.dtype == torch.bfloat16 else here.numpy()
    if isinstance(value, (list, tuple)):
        return type(value)(as_numpy(item) for item in value)
    if isinstance(value, dict):
        return {key: as_numpy(item) for key, item in value.items()}
    return value


def same_bits(a: Any, b: Any) -> bool:
    """Whether two arguments hold the same bits (NaN equals NaN)."""
    if isinstance(a, np.ndarray):
        if not isinstance(b, np.ndarray) or a.dtype != b.dtype or a.shape != b.shape:
            return False
        if a.size and a.flags.c_contiguous and b.flags.c_contiguous:  # without a copy, since memory is metered
            bits = f"u{math.gcd(a.itemsize, 8)}"  # whole numbers, since memory is compared one by one
            return bool(a.reshape(-1).view(bits).data == b.reshape(-1).view(bits).data)
        return a.tobytes() == b.tobytes()
    if isinstance(a, Stream):
        return not _HELD[b].is_changed
    if isinstance(a, (list, tuple)):
        alike = isinstance(b, (list, tuple)) and len(a) == len(b)
        return alike and all(same_bits(x, y) for x, y in zip(a, b, strict=True))
    if isinstance(a, dict):
        return isinstance(b, dict) and a.keys() == b.keys() and all(same_bits(a[key], b[key]) for key in a)
    return not isinstance(a, (int, str)) or (type(a) is type(b) and a == b)


def untouched(given: dict[str, Any], arguments: dict[str, Any]) -> bool:
    """Whether what a call was given is as it was, and no tensor of it is marked for gradients, as none was."""
    if any(getattr(value, "requires_grad", False) for value in given.values()):
        return False
    return all(same_bits(value, as_numpy(given[name])) for name, value in arguments.items())
