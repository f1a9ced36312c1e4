"""What the interpreter no longer works out anew comes to the same, and to the same type."""

import pytest
import torch

from autograder.spec import interpreter

interpreter.choose()
triton = pytest.importorskip("triton", reason="Triton is not installed on this machine")

import triton.language as tl  # noqa: E402

from autograder.runner.engines.triton import interpreted  # noqa: E402
from autograder.runner.meters.traffic import install  # noqa: E402

pytestmark = pytest.mark.skipif(not interpreted(), reason="kernels are compiled here: this machine has a GPU")


@triton.jit
def beside_a_number(x_ptr, y_ptr, NUMBER: tl.constexpr, EXPECTED: tl.constexpr, TILE: tl.constexpr):
    x = tl.load(x_ptr + tl.arange(0, TILE)) if TILE > 1 else tl.load(x_ptr)
    for made in (x + NUMBER, NUMBER + x, x * NUMBER, tl.maximum(x, NUMBER)):
        tl.static_assert(made.dtype == EXPECTED)
    tl.store(y_ptr + (tl.arange(0, TILE) if TILE > 1 else 0), (x - NUMBER).to(tl.float32))


@pytest.mark.parametrize("tile", [1, 4])
@pytest.mark.parametrize(
    "dtype, number, expected",
    [
        (torch.int32, -2, tl.int32),
        (torch.int32, 1.5, tl.float32),
        (torch.int64, 3, tl.int64),
        (torch.int64, 1 << 40, tl.int64),
        (torch.float32, 3, tl.float32),
        (torch.float32, 0.5, tl.float32),
        (torch.float32, 1 << 40, tl.float32),
        (torch.float16, 3, tl.float16),
    ],
)
def test_a_number_beside_a_tensor_is_of_its_type_where_that_has_such_numbers(dtype, number, expected, tile):
    assert install()
    x, y = torch.arange(4).to(dtype), torch.zeros(4)
    beside_a_number[(1,)](x, y, number, expected, tile)
    assert torch.equal(y[:tile], (x.double() - number).to(expected_of(expected)).float()[:tile])


def expected_of(kind):
    return getattr(torch, {"fp32": "float32", "fp16": "float16"}.get(kind.name, kind.name))


def test_a_number_that_the_type_does_not_hold_is_refused():
    assert install()
    with pytest.raises(Exception, match="out of range"):
        beside_a_number[(1,)](torch.arange(4, dtype=torch.int32), torch.zeros(4), 1 << 40, tl.int32, 4)
