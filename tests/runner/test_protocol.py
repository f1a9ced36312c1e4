"""What crosses the wall: everything honest survives the trip, everything else is refused."""

import json
import socket
import struct
import threading
import time

import ml_dtypes
import numpy as np
import pytest

from autograder.runner import protocol
from autograder.runner.arrays import Earlier, Stream, same_bits
from autograder.runner.failure import Failure
from autograder.runner.observe import Observation, observe
from autograder.runner.protocol import (
    ProtocolError,
    decode,
    encode,
    observation_message,
    read_observation,
    receive,
    send,
)
from autograder.runner.wall.printed import LINES, WIDTH, Printed

ARGUMENTS = [
    np.arange(12, dtype=np.float32).reshape(3, 4).T,
    np.zeros((0, 3), np.float16),
    np.float32(-np.inf),
    Stream([np.float32(1), (np.ones(2), np.ones((2, 2)))]),
    [2, 0, 1],
    (1.5, float("inf"), None, True, "text"),
    Earlier((np.ones((1, 2, 3, 4), np.float32), np.zeros((1, 2, 3, 4), np.float32))),
]


@pytest.mark.parametrize("value", ARGUMENTS, ids=lambda v: type(v).__name__)
def test_arguments_survive_the_trip(value):
    blobs: list[bytes] = []
    spec = json.loads(json.dumps(encode(value, blobs)))
    back = decode(spec, blobs)
    assert type(back) is type(value) and same_bits(value, back) and not blobs
    if isinstance(value, np.ndarray):
        assert back.strides == value.strides and back.flags.writeable
    if type(value) in (list, tuple):
        assert back == value


def test_what_has_no_encoding_is_refused():
    with pytest.raises(TypeError, match="cannot be sent"):
        encode(object(), [])


def through_a_socket(write, limit=1000):
    ours, theirs = socket.socketpair()
    thread = threading.Thread(target=lambda: (write(theirs), theirs.close()))
    thread.start()
    try:
        return receive(ours, limit=limit, deadline=time.monotonic() + 60)
    finally:
        ours.close()
        thread.join()


def test_messages_survive_the_trip():
    header, blobs = through_a_socket(lambda s: send(s, {"a": 1}, [b"xyz", b""]))
    assert header["a"] == 1 and blobs == [b"xyz", b""]


def framed(text: bytes) -> bytes:
    return struct.pack(">I", len(text)) + text


@pytest.mark.parametrize(
    "raw",
    [
        struct.pack(">I", 1 << 31),
        framed(b"no json"),
        framed(b"[]"),
        framed(b"{}"),
        framed(b'{"blobs": [-1]}'),
        framed(b'{"blobs": [100000]}'),
        framed(b'{"blobs": [%s]}' % (b"9" * 4000)),
        framed(b'{"blobs": [%s]}' % b", ".join([b"9" * 4299] * 20)),  # whose sum Python would not write
        framed(b'{"blobs": ["1"]}'),
        framed(b'{"blobs": [true]}'),
        framed(b"\xff\xfe"),
    ],
)
def test_malformed_messages_are_refused(raw):
    with pytest.raises(ProtocolError):
        through_a_socket(lambda s: s.sendall(raw))


@pytest.mark.parametrize("part", [b"{}", b"[]", b'"[{"'])
def test_a_message_of_very_many_parts_is_refused_before_it_is_parsed(part):
    def received(parts):
        raw = framed(b'{"blobs": [], "counts": [' + b",".join([part] * parts) + b"]}")
        return through_a_socket(lambda s: s.sendall(raw), limit=1 << 20)

    assert len(received(40_000)[0]["counts"]) == 40_000
    with pytest.raises(ProtocolError, match="malformed"):
        received(100_000)


def test_a_closed_socket_and_a_silent_one_are_told_apart():
    with pytest.raises(EOFError):
        through_a_socket(lambda s: s.sendall(b"\0\0"))
    ours, theirs = socket.socketpair()
    with pytest.raises(TimeoutError):
        receive(ours, deadline=time.monotonic() + 0.05)
    ours.close(), theirs.close()


def test_what_has_come_in_time_is_not_late_and_what_never_ends_is(monkeypatch):
    ours, theirs = socket.socketpair()
    send(theirs, {"a": 1}, [b"xyz"])
    header, blobs = receive(ours, deadline=time.monotonic() - 60)  # we were stopped for a minute
    assert header["a"] == 1 and blobs == [b"xyz"]
    monkeypatch.setattr(protocol, "LATE", 0.05)
    theirs.sendall(struct.pack(">I", 100) + b"{")
    with pytest.raises(TimeoutError):
        receive(ours, deadline=time.monotonic() - 60)
    ours.close(), theirs.close()


def test_observations_survive_the_trip():
    outputs = [np.ones((2, 3), np.float32), np.asarray(1.5), np.ones(2, ml_dtypes.bfloat16), np.ones(2, ">f4")]
    seen = Observation(outputs, operations={"aten::mm": 3})
    seen.note("peak_bytes", 7, line=3)
    seen.note("steps", 2)
    seen.multiplied = [[16, 32, 16], [32, 16, 16]]
    header, blobs = observation_message(seen)
    back = read_observation(json.loads(json.dumps(header)), blobs)
    assert seen.outputs and back.outputs
    assert all(same_bits(a, b) for a, b in zip(seen.outputs[:3], back.outputs[:3], strict=True))
    assert np.array_equal(back.outputs[3], outputs[3]) and back.outputs[3].dtype == np.float32  # as this machine has it
    assert (back.operations, back.inputs_changed) == ({"aten::mm": 3}, False)
    assert back.multiplied == seen.multiplied
    assert (back.counts, back.lines) == ({"peak_bytes": 7, "steps": 2}, {"peak_bytes": 3, "steps": 0})
    failed = Observation(failure=Failure("ValueError", "m" * 2000, 3, "x", "f"))
    header, blobs = observation_message(failed)
    assert len(read_observation(header, blobs).failure.message) == 500


def test_every_number_that_an_answer_may_give_is_an_answer_to_the_grader():
    """A count that is too large for 64 bits, or of a type that is seldom used, is a wrong answer and no attack."""
    given = [2**63 + 1, -(2**70), 10**400, np.uint64(2**63), np.uint16(3), np.ones(2, np.int16), np.longdouble(0.5)]
    header, blobs = observation_message(observe(lambda: given, {}, "numpy"))
    back = read_observation(json.loads(json.dumps(header)), blobs)
    assert [o.reshape(-1)[0] for o in back.outputs] == [2**63 + 1, -(2**63), 2**64 - 1, 2**63, 3, 1, 0.5]


def test_what_a_child_says_can_be_written_to_a_file():
    lone = "\ud800"
    header, blobs = observation_message(Observation(failure=Failure(lone, lone, 3, lone, lone)))
    failure = read_observation(header, blobs).failure
    assert (failure.kind, failure.message, failure.text, failure.function) == ("?", "?", "?", "?")
    seen = Observation([], kernels=[lone], idle=[lone], operations={lone: 1}, printed=Printed(lone, 1))
    back = read_observation(*observation_message(seen))
    assert (back.kernels, back.idle, back.operations, back.printed.text) == (["?"], ["?"], {"?": 1}, "?")


HONEST = {"outputs": [{"dtype": "float32", "shape": [2]}], "operations": {}}


@pytest.mark.parametrize(
    ("change", "blob"),
    [
        ({"outputs": None}, b"12345678"),
        ({"outputs": "pass"}, b"12345678"),
        ({"outputs": [{"dtype": "object", "shape": [1]}]}, b"12345678"),
        ({"outputs": [{"dtype": "float32", "shape": [-2]}]}, b"12345678"),
        ({"outputs": [{"dtype": "float32", "shape": [2.0]}]}, b"12345678"),
        ({"outputs": [{"dtype": "float32", "shape": [1] * 70}]}, b"12345678"),
        ({"outputs": [{"dtype": "float32", "shape": [3]}]}, b"12345678"),
        ({"operations": ["softmax"]}, b"12345678"),
        ({"counts": [7]}, b"12345678"),
        ({"lines": 7}, b"12345678"),
        ({"printed": "hello"}, b"12345678"),
        ({"printed": [["hello"], 1]}, b"12345678"),
        ({"multiplied": [16]}, b"12345678"),
        ({"numbers": ["f of the numbers"]}, b"12345678"),
        ({"numbers": {"f of the numbers": [1.5]}}, b"12345678"),
        ({"numbers": {"f of the numbers": "1.5"}}, b"12345678"),
        ({"numbers": {"f of the numbers": "000000"}}, b"12345678"),
        ({"numbers": {str(i): "" for i in range(101)}}, b"12345678"),
        ({"failure": "none"}, b"12345678"),
        ({"failure": {"kind": 1, "message": "", "text": "", "function": ""}}, b"12345678"),
    ],
)
def test_claims_of_the_wrong_form_are_refused(change, blob):
    assert [o.shape for o in read_observation(HONEST, [b"12345678"]).outputs] == [(2,)]
    with pytest.raises(ProtocolError):
        read_observation(HONEST | change, [blob])


def test_of_what_is_printed_only_the_first_lines_are_read():
    seen = read_observation(HONEST | {"printed": ["x" * 10_000, -1]}, [b"12345678"])
    assert seen.printed == Printed("x" * LINES * WIDTH, 0)


def test_a_claim_that_is_no_number_counts_as_not_measured():
    seen = read_observation(
        HONEST | {"counts": {"peak_bytes": -5, "steps": "0", "made up": 1}, "inputs_changed": "no"}, [b"12345678"]
    )
    assert seen.counts == {} and seen.inputs_changed
