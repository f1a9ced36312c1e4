"""A launch in the middle of a larger one: who counts in 64 bits gets what is right, and who does not, leads astray."""

import shutil

import pytest
import torch

from simt import cpu
from simt.errors import KernelFault
from simt.far import Far
from tests.simt.test_simt import launch

pytestmark = pytest.mark.skipif(
    not (shutil.which("g++") or shutil.which("clang++")), reason="no C++ compiler on this machine"
)
ROWS = Far(axis=0, tensors=(0, 1), counts=(2,))


def doubled(row: str) -> torch.Tensor:
    """What becomes of three rows of 32 numbers, each of a block of its own, that begins where `row` says."""
    x, y = torch.arange(96.0), torch.zeros(96)
    body = f"if (blockIdx.x >= rows) return;\nauto at = {row} + threadIdx.x;\ny[at] = 2 * x[at];"
    launch(body, "const float* x, float* y, int rows", x, y, 3, block=32, grid=3)
    return y


@pytest.mark.parametrize("row", ["blockIdx.x * 32ll", "(gridDim.x - 1 - blockIdx.x) * 32ll"])
def test_an_offset_of_64_bits_leads_to_the_same_rows(row):
    near = doubled(row)
    with cpu.far_on(ROWS):
        assert torch.equal(doubled(row), near)


@pytest.mark.parametrize("row", ["blockIdx.x * 32", "(int)blockIdx.x * 32", "(long long)(blockIdx.x * 32)"])
def test_an_offset_of_32_bits_leads_astray(row):
    doubled(row)
    with cpu.far_on(ROWS), pytest.raises(KernelFault, match="reads an address that belongs to no tensor"):
        doubled(row)


def test_a_launch_that_is_not_divided_evenly_stays_where_it_is():
    y = torch.zeros(7)
    with cpu.far_on(Far(axis=0, tensors=(0,))):
        launch("y[3 * blockIdx.x + threadIdx.x] = blockIdx.x + 1;", "float* y", y, block=3, grid=2)
    assert y.tolist() == [1, 1, 1, 2, 2, 2, 0]


def test_a_launch_whose_last_block_has_fewer_rows_stays_where_it_is():
    y = torch.zeros(6)
    with cpu.far_on(Far(axis=0, tensors=(0,), counts=(1,), rows=4)):
        launch(
            "int row = 4 * blockIdx.x + threadIdx.x;\nif (row < n) y[row] = 1;",
            "float* y, int n",
            y,
            6,
            block=4,
            grid=2,
        )
    assert y.tolist() == [1] * 6


def test_an_index_that_passes_through_a_float_leads_astray_before_it_passes_32_bits():
    def doubled_at(index: str) -> list[float]:
        y = torch.zeros(32)
        launch(f"y[{index}] = 2;", "float* y", y, block=16, grid=2)
        return y.tolist()

    whole, rounded = "blockIdx.x * 16 + threadIdx.x", "(int)(blockIdx.x * 16.0f + threadIdx.x)"
    assert doubled_at(whole) == doubled_at(rounded) == [2] * 32
    with cpu.far_on(Far(axis=0, tensors=(0,), beyond=1 << 26)):
        assert doubled_at(whole) == [2] * 32
        with pytest.raises(KernelFault):  # several threads have one number
            doubled_at(rounded)
