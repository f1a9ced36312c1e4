"""What libdevice is in the interpreter: the functions of triton.language of the same names."""

import pytest
import torch

from autograder.spec import interpreter

interpreter.choose()
triton = pytest.importorskip("triton", reason="Triton is not installed on this machine")

import triton.language as tl  # noqa: E402
from triton.language.extra import libdevice  # noqa: E402
from triton.language.extra.cuda import libdevice as of_cuda  # noqa: E402

from autograder.runner.engines.triton import interpreted  # noqa: E402
from autograder.runner.interpreter.libdevice import SAME  # noqa: E402
from autograder.runner.meters.traffic import install  # noqa: E402

pytestmark = pytest.mark.skipif(not interpreted(), reason="kernels are compiled here: this machine has a GPU")


@triton.jit
def applied(x_ptr, y_ptr, CUDA: tl.constexpr):
    at = tl.arange(0, 4)
    x = tl.load(x_ptr + at)
    tl.store(y_ptr + at, of_cuda.exp(x) if CUDA else libdevice.exp(x))
    tl.store(y_ptr + 4 + at, of_cuda.exp2(x) if CUDA else libdevice.exp2(x))
    tl.store(y_ptr + 8 + at, of_cuda.log(x) if CUDA else libdevice.log(x))
    tl.store(y_ptr + 12 + at, of_cuda.log2(x) if CUDA else libdevice.log2(x))
    tl.store(y_ptr + 16 + at, of_cuda.rsqrt(x) if CUDA else libdevice.rsqrt(x))
    tl.store(y_ptr + 20 + at, of_cuda.sqrt(x) if CUDA else libdevice.sqrt(x))
    tl.store(y_ptr + 24 + at, of_cuda.fast_expf(x) if CUDA else libdevice.fast_expf(x))
    tl.store(y_ptr + 28 + at, of_cuda.fast_logf(x) if CUDA else libdevice.fast_logf(x))


@pytest.mark.parametrize("cuda", [False, True])
def test_functions_of_libdevice_are_those_of_their_names(cuda):
    assert install()
    x, y = torch.tensor([0.3, 1.0, 2.5, 7.0]), torch.zeros(len(SAME), 4)
    applied[(1,)](x, y, cuda)
    assert torch.allclose(y, torch.stack([getattr(torch, name)(x) for name in SAME.values()]))


@triton.jit
def asked(x_ptr, y_ptr, CUDA: tl.constexpr):
    at = tl.arange(0, 4)
    x = tl.load(x_ptr + at)
    tl.store(y_ptr + at, of_cuda.isnan(x) if CUDA else libdevice.isnan(x))
    tl.store(y_ptr + 4 + at, of_cuda.isinf(x) if CUDA else libdevice.isinf(x))


@pytest.mark.parametrize("cuda", [False, True])
def test_numbers_may_be_asked_whether_they_are_finite(cuda):
    assert install()
    x, y = torch.tensor([0.5, torch.nan, torch.inf, -torch.inf]), torch.zeros(2, 4)
    asked[(1,)](x, y, cuda)
    assert y.tolist() == [[0, 1, 0, 0], [0, 0, 1, 1]]
