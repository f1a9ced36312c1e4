"""Arrays of bfloat16, which numpy lacks: they go to torch and back, over the socket, and are compared."""

import os
from pathlib import Path

import numpy as np
import torch

from autograder.judging.tolerance import compare, expect
from autograder.runner.arrays import (
    BFLOAT16,
    Stream,
    as_numpy,
    as_torch,
    copy_argument,
    empty_with_strides,
    items_of,
    same_bits,
)
from autograder.runner.observe import observe
from autograder.runner.protocol import decode, encode
from autograder.spec.exercise import Output, Tolerance

X = np.linspace(-2, 2, 12).reshape(3, 4).astype(BFLOAT16)


def test_torch_shares_their_memory_and_gives_them_back():
    x = copy_argument(X.T)
    tensor = as_torch(x)
    assert tensor.dtype == torch.bfloat16 and tensor.stride() == (1, 4)
    assert as_torch(x, torch.float64).dtype == torch.float64
    tensor[0, 0] = 7
    assert x[0, 0] == 7 and same_bits(as_numpy(tensor), x)


def test_they_travel_with_their_strides():
    blobs: list[bytes] = []
    spec = encode(X.T, blobs)
    back = decode(spec, blobs)
    assert back.dtype == BFLOAT16 and back.strides == X.T.strides and same_bits(back, X.T)


def test_results_are_judged_by_what_bfloat16_can_hold():
    want = expect(Output("y"), X.astype(np.float64), [X.astype(np.float32)], Tolerance(), BFLOAT16)
    outputs = observe(lambda x: x.clone(), {"x": X}, "torch").outputs
    assert outputs and compare(outputs[0], want).ok
    assert not compare((X.astype(np.float32) + 0.1).astype(BFLOAT16), want).ok
    assert "dtype float32; expected bfloat16" in compare(X.astype(np.float32), want).message


def test_no_attribute_of_a_stream_leads_to_its_items():
    stream = Stream([1, 2])
    assert list(items_of(stream)) == [1, 2] == list(stream)
    assert not hasattr(stream, "__dict__") and all(name.startswith("__") for name in dir(stream))


def test_a_view_begins_where_it_began():
    x = np.arange(9, dtype=np.float32)[1:]
    blobs: list[bytes] = []
    spec = encode(x, blobs)
    for copy in (copy_argument(x), decode(spec, blobs)):
        assert np.array_equal(copy, x) and as_torch(copy).data_ptr() % 16 == 4
    assert as_torch(copy_argument(x[3:])).data_ptr() % 16 == 0


def test_arrays_of_gigabytes_take_the_room_of_their_elements():
    before = resident()
    x = copy_argument(empty_with_strides((3, 5), np.dtype("float16"), (2 << 30, 2), 4))
    x[...] = np.arange(15).reshape(3, 5)
    assert x.ctypes.data % 16 == 4 and x.T.strides == (2, 2 << 30)
    blobs: list[bytes] = []
    back = as_torch(decode(encode(x, blobs), blobs))
    assert len(blobs) == 0 and back.stride() == (1 << 30, 1) and back[2, 4] == 14 and same_bits(as_numpy(back), x)
    assert resident() - before < 16 << 20  # of 6 GiB


def resident():
    """Bytes of this process that are really there."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
