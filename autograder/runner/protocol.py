"""What goes over the socket between grader and child: a length-prefixed JSON header, then raw bytes. Never pickle.

    4 bytes, big-endian: length of the header | header, UTF-8 JSON with "blobs": [sizes] | the blobs, one after another

Both ends check every size before they read. What a child sends is data, never believed: see `read_observation`.
"""

from __future__ import annotations

import json
import math
import re
import select
import socket
import struct
import time
from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from .arrays import MOST_AXES, MOST_ROOM, Earlier, Stream, are_numbers, empty_with_strides, items_of, offset_of, room_of
from .failure import Failure
from .meters import METERS
from .observe import Observation
from .translate import TARGETS, Translated
from .wall.printed import LINES, WIDTH, Printed

LATE = 1.0  # seconds that a message may go on to come which has begun in time
HEADER_LIMIT, MESSAGE_LIMIT = 4 << 20, 64 << 20  # bytes
MOST_PARTS = 100_000  # lists and objects of a header: parsed, an empty one takes thirty times the bytes that it came in
ADDRESS = re.compile(r" at 0x[0-9a-f]+")  # of an object, different every time
MARKS = re.compile("k|e|i?o?r?g?u?w?m?")  # of memory, see `sharing.shared`
FRACTION = re.compile(r"[-+]?\d*\.\d+(?:[eE][-+]?\d+)?")
INTEGERS = {f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)}
DTYPES = {"bfloat16", "float16", "float32", "float64", "bool"} | INTEGERS


class ProtocolError(Exception):
    """The other end sent something that does not follow the protocol."""


class TooLarge(ProtocolError):
    """The other end wants to send more than it may; the message says how many bytes."""


def send(sock: socket.socket, header: dict[str, Any], blobs: list[bytes] | None = None) -> None:
    """Send one message."""
    blobs = blobs or []
    text = json.dumps(header | {"blobs": [len(b) for b in blobs]}).encode()
    sock.sendall(struct.pack(">I", len(text)) + text + b"".join(blobs))


def receive(
    sock: socket.socket, limit: int = MESSAGE_LIMIT, deadline: float | None = None
) -> tuple[dict[str, Any], list[bytes]]:
    """Receive one message of at most `limit` bytes.

    deadline: a time.monotonic() value. Raises TimeoutError if nothing has come by then, EOFError if the other end
    closed, ProtocolError if the message is malformed, TooLarge if it is larger than `limit`.
    """
    if deadline is not None:
        deadline = _begun(sock, deadline)
    (length,) = struct.unpack(">I", _exactly(sock, 4, deadline))
    if length > min(limit, HEADER_LIMIT):
        raise ProtocolError(f"a header of {length} bytes")
    try:
        text = _exactly(sock, length, deadline)
        assert text.count(b"{") + text.count(b"[") <= MOST_PARTS
        header = json.loads(text)
        sizes = header["blobs"]
        assert isinstance(sizes, list) and len(sizes) <= MOST_PARTS and None not in map(_count, sizes)
    except (EOFError, OSError):
        raise
    except Exception:
        raise ProtocolError("a malformed header") from None
    if sum(sizes) > limit:
        raise TooLarge(f"{sum(sizes):,} bytes")
    return header, [_exactly(sock, n, deadline) for n in sizes]


def _begun(sock: socket.socket, deadline: float) -> float:
    """Wait until a message begins to come. Returns when it has to be there.

    The clock goes on where this process is stopped, or gets no processor: what has come meanwhile is not late.
    """
    ready = select.poll()
    ready.register(sock, select.POLLIN)
    if not (ready.poll(max(deadline - time.monotonic(), 0) * 1000) or ready.poll(0)):
        raise TimeoutError
    return max(deadline, time.monotonic() + LATE)


def _exactly(sock: socket.socket, n: int, deadline: float | None) -> bytes:
    data = bytearray()
    while len(data) < n:
        if deadline is not None:
            left = deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError
            sock.settimeout(left)
        try:
            part = sock.recv(min(n - len(data), 1 << 20))
        except ConnectionError:
            part = b""
        if not part:
            raise EOFError
        data += part
    return bytes(data)


SEQUENCES: dict[str, Callable[[list[Any]], Any]] = {"stream": Stream, "list": list, "tuple": tuple, "Earlier": Earlier}


def encode(value: Any, blobs: list[bytes]) -> dict[str, Any]:
    """An argument as JSON; the bytes of arrays are appended to `blobs`."""
    if isinstance(value, np.ndarray | np.generic):
        blobs.append(value.tobytes())
        made: dict[str, Any] = {"kind": "scalar", "dtype": _name_of(value.dtype), "shape": list(value.shape)}
        if isinstance(value, np.ndarray):
            made |= {"kind": "array", "strides": list(value.strides), "offset": offset_of(value)}
        return made
    if isinstance(value, Stream):
        return encode(items_of(value), blobs) | {"kind": "stream"}
    if isinstance(value, (list, tuple)):
        made = {"kind": type(value).__name__}
        if are_numbers(value):
            blobs.append(np.asarray(value).tobytes())
            return made | {"scalars": _name_of(value[0].dtype)}
        return made | {"items": [encode(item, blobs) for item in value]}
    if isinstance(value, dict):
        return {"kind": "dict", "keys": list(value), "items": [encode(item, blobs) for item in value.values()]}
    if isinstance(value, float):
        return {"kind": "float", "value": value.hex()}
    if value is None or isinstance(value, (bool, int, str)):
        return {"kind": "value", "value": value}
    raise TypeError(f"an argument of type {type(value).__name__} cannot be sent to the child")


@cache
def _name_of(dtype: np.dtype) -> str:
    return dtype.name  # which numpy works out anew each time


def decode(spec: dict[str, Any], blobs: list[bytes]) -> Any:
    """The inverse of `encode`; takes the blobs it needs from the front of the list."""
    kind = spec["kind"]
    if kind in ("array", "scalar"):
        dtype, shape = np.dtype(spec["dtype"]), tuple(spec["shape"])
        flat = np.frombuffer(blobs.pop(0), dtype)
        if kind == "scalar":
            return flat[0]
        array = empty_with_strides(shape, dtype, tuple(spec["strides"]), spec["offset"])
        array[...] = flat.reshape(shape)
        return array
    if kind in SEQUENCES:
        if "scalars" in spec:
            return SEQUENCES[kind](list(np.frombuffer(blobs.pop(0), np.dtype(spec["scalars"]))))
        return SEQUENCES[kind]([decode(item, blobs) for item in spec["items"]])
    if kind == "dict":
        return dict(zip(spec["keys"], [decode(item, blobs) for item in spec["items"]]))
    return float.fromhex(spec["value"]) if kind == "float" else spec["value"]


def observation_message(seen: Observation) -> tuple[dict[str, Any], list[bytes]]:
    """An observation as a message (the child's side)."""
    outputs = seen.outputs
    header = {
        "outputs": None if outputs is None else [{"dtype": o.dtype.name, "shape": list(o.shape)} for o in outputs],
        "failure": None if seen.failure is None else vars(seen.failure),
        "operations": seen.operations,
        "inputs_changed": seen.inputs_changed,
        "shared": seen.shared,
        "counts": seen.counts,
        "lines": seen.lines,
        "launched": seen.kernels,
        "called": seen.called,
        "numbers": {name: np.array([*numbers]).tobytes().hex() for name, numbers in seen.numbers.items()},
        "idle": seen.idle,
        "constant": seen.constant,
        "read": seen.read,
        "multiplied": seen.multiplied,
        "on_gpu": seen.on_gpu,
        "raised": [vars(failure) for failure in seen.raised],
        "printed": [seen.printed.text, seen.printed.lines],
    }
    return header, [o.astype(o.dtype.newbyteorder("="), copy=False).tobytes() for o in outputs or []]


def read_observation(header: dict[str, Any], blobs: list[bytes]) -> Observation:
    """What the child claims to have seen (the grader's side). Raises ProtocolError unless every field has its type."""
    seen = Observation(
        failure=None if header.get("failure") is None else read_failure(header["failure"]),
        inputs_changed=header.get("inputs_changed") is not False,
    )
    marks = header.get("shared", [])
    if not isinstance(marks, list) or not all(isinstance(mark, str) and MARKS.fullmatch(mark) for mark in marks):
        raise ProtocolError("marks of shared memory of unknown form")
    seen.shared = marks
    counts, lines = header.get("counts", {}), header.get("lines", {})
    if not isinstance(counts, dict) or not isinstance(lines, dict):
        raise ProtocolError("counts are no table")
    for meter in METERS:
        count = _count(counts.get(meter.name))
        if count is not None:
            seen.note(meter.name, count, _count(lines.get(meter.name)) or 0)
    launched = header.get("launched")
    if isinstance(launched, list) and len(launched) <= 100:
        seen.kernels = [_text(name, 200) for name in launched if isinstance(name, str)]
    operations = header.get("operations")
    if not isinstance(operations, dict) or len(operations) > 10_000:
        raise ProtocolError("operations are not a table")
    seen.operations = {_text(name, 200): _count(line) or 0 for name, line in operations.items()}
    called = header.get("called", {})
    if not isinstance(called, dict) or len(called) > 10_000:  # which rows were loaded are among them
        raise ProtocolError("calls are no table")
    seen.called = {name: _count(number) or 0 for name, number in called.items()}
    seen.numbers = _numbers(header.get("numbers", {}))
    seen.idle, seen.constant = _names(header.get("idle", [])), _names(header.get("constant", []))
    seen.read, seen.multiplied = _lists(header.get("read", [])), _lists(header.get("multiplied", []))
    seen.on_gpu = header.get("on_gpu") is True
    raised = header.get("raised", [])
    if not isinstance(raised, list) or len(raised) > 10_000:
        raise ProtocolError("errors are no list")
    seen.raised = [read_failure(failure) for failure in raised]
    seen.printed = _printed(header.get("printed", ["", 0]))
    if seen.failure is None:
        seen.outputs = _outputs(header.get("outputs"), blobs)
    return seen


def translated_message(found: list[Translated]) -> tuple[dict[str, Any], list[bytes]]:
    """Translated kernels as a message (the child's side)."""
    kernels = [
        {
            "kernel": t.kernel,
            "target": t.target,
            "shared": t.shared,
            "failure": t.failure and vars(t.failure),
            "operations": t.operations,
        }
        for t in found
    ]
    return {"kernels": kernels}, [t.ptx.encode() for t in found]


def read_translated(header: dict[str, Any], blobs: list[bytes]) -> list[Translated]:
    """What the child claims to have compiled (the grader's side). Raises ProtocolError unless every field fits."""
    kernels = header.get("kernels")
    if not isinstance(kernels, list) or len(kernels) != len(blobs) or len(kernels) > 100:
        raise ProtocolError("kernels are not a table")
    found = []
    for entry, ptx in zip(kernels, blobs, strict=True):
        if not (isinstance(entry, dict) and isinstance(entry.get("kernel"), str) and entry.get("target") in TARGETS):
            raise ProtocolError("a kernel of unknown form")
        failure = None if entry.get("failure") is None else read_failure(entry["failure"])
        shared = _count(entry.get("shared")) or 0
        text, operations = ptx.decode(errors="replace"), _operations(entry.get("operations"))
        found.append(Translated(_text(entry["kernel"], 200), entry["target"], text, shared, failure, operations))
    return found


def _operations(data: Any) -> Counter[str]:
    """How often each is asked for, by names of the form that Triton's have: some are shown to the learner."""
    table = data if isinstance(data, dict) else {}
    return Counter({name: _count(n) or 0 for name, n in table.items() if re.fullmatch(r"[a-z_]{1,20}\.\w{1,30}", name)})


def read_failure(data: Any) -> Failure:
    """A failure as the child reports it, cut to a reasonable length and without fractions. Raises ProtocolError.

    The inputs of an official grade are secret, and an exception's message could leak them.
    """
    if not isinstance(data, dict):
        raise ProtocolError("a failure is not a table")
    texts = [_text(t, 500) for t in map(data.get, ("kind", "message", "text", "function")) if isinstance(t, str)]
    if len(texts) < 4:
        raise ProtocolError("a failure's texts are missing")
    kind, message, text, function = texts
    kind, message = (FRACTION.sub("#", ADDRESS.sub("", said)) for said in (kind, message))
    return Failure(kind, message, _count(data.get("line")) or 0, text, function, _count(data.get("step")) or 0)


def _outputs(specs: Any, blobs: list[bytes]) -> list[np.ndarray]:
    if not isinstance(specs, list) or len(specs) != len(blobs):
        raise ProtocolError("outputs and their bytes do not match")
    arrays = []
    for spec, blob in zip(specs, blobs, strict=True):
        name, shape = (spec.get("dtype"), spec.get("shape")) if isinstance(spec, dict) else (None, None)
        if not (isinstance(name, str) and name in DTYPES and isinstance(shape, list) and len(shape) <= MOST_AXES):
            raise ProtocolError("an output of unknown form")
        if any(_count(n) is None for n in shape) or room_of(shape) > MOST_ROOM:
            raise ProtocolError("an output of unknown form")
        dtype = np.dtype(name)
        if math.prod(shape) * dtype.itemsize != len(blob):
            raise ProtocolError("an output's bytes do not fill its shape")
        arrays.append(np.frombuffer(blob, dtype).reshape(shape))
    return arrays


def _lists(value: Any) -> list[list[int]]:
    """Lists of numbers: tokens of a model's steps, or sizes of products."""
    if not isinstance(value, list) or not all(isinstance(numbers, list) for numbers in value):
        raise ProtocolError("numbers are no lists")
    return [[_count(number) or 0 for number in numbers] for numbers in value]


def _numbers(value: Any) -> dict[str, set[float]]:
    """By the names of functions, those that each was given or has made."""
    if not isinstance(value, dict) or len(value) > 100 or not all(isinstance(text, str) for text in value.values()):
        raise ProtocolError("the numbers of functions are no table")
    try:
        return {name: set(np.frombuffer(bytes.fromhex(text), "f8").tolist()) for name, text in value.items()}
    except ValueError:
        raise ProtocolError("the numbers of functions are of unknown form") from None


def _printed(value: Any) -> Printed:
    if not isinstance(value, list) or len(value) != 2 or not isinstance(value[0], str):
        raise ProtocolError("prints of unknown form")
    return Printed(_text(value[0], LINES * WIDTH), _count(value[1]) or 0)


def _names(value: Any) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        raise ProtocolError("names of unknown form")
    return [_text(name, 200) for name in value[:100]]


def _text(said: str, most: int) -> str:
    """At most so many characters of it, all of which can be written to a file: no lone surrogates."""
    return said[:most].encode(errors="replace").decode()


def _count(value: Any) -> int | None:
    return value if type(value) is int and 0 <= value < 1 << 62 else None
