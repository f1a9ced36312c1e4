"""What a block keeps in memory is altered behind a barrier: who goes on with it comes to other numbers."""

import shutil

import pytest
import torch

from simt import cpu
from tests.simt.test_simt import launch

pytestmark = pytest.mark.skipif(
    not (shutil.which("g++") or shutil.which("clang++")), reason="no C++ compiler on this machine"
)
THROUGH_SHARED = """__shared__ float s[64];
s[threadIdx.x] = x[threadIdx.x];
{barrier}();
y[threadIdx.x] = s[threadIdx.x ^ 1];
{barrier}();"""
THROUGH_MAIN = "y[threadIdx.x] = x[threadIdx.x];\n__syncthreads();\ny[threadIdx.x] += 1;\n__syncthreads();"
ROW_AFTER_ROW = """for (int i = 0; i < 2; ++i) {
    y[threadIdx.x + 32 * i] = x[threadIdx.x + 32 * i];
    __syncthreads();
}
for (int i = 0; i < 2; ++i) y[threadIdx.x + 32 * i] += 1;"""
IN_VAIN = "y[threadIdx.x] = 0;\n__syncthreads();\ny[threadIdx.x] = y[threadIdx.x] > 9 ? 1 : x[threadIdx.x];"


def changed(body: str, place: str, block: int = 64) -> int:
    """How many of 64 numbers come out otherwise where what is kept there is altered."""
    outputs = []
    for altered in (False, True):
        x, y = torch.arange(1.0, 65.0), torch.zeros(64)
        if altered:
            with cpu.altered(place):
                launch(body, "const float* x, float* y", x, y, block=block)
        else:
            launch(body, "const float* x, float* y", x, y, block=block)
        assert y.isfinite().all()
        outputs.append(y)
    return int((outputs[0] != outputs[1]).sum())


@pytest.mark.parametrize("barrier", ["__syncthreads", "__syncwarp"])
def test_what_is_read_of_shared_memory_is_altered(barrier):
    assert changed(THROUGH_SHARED.format(barrier=barrier), "shared memory") == 64


def test_what_was_stored_in_main_memory_is_altered_once():
    assert changed(THROUGH_MAIN, "main memory") == 64


def test_of_main_memory_a_warp_has_all_rows_altered():
    assert changed(ROW_AFTER_ROW, "main memory", block=32) == 64


@pytest.mark.parametrize(
    ("body", "place"), [(THROUGH_MAIN, "shared memory"), (IN_VAIN, "main memory")], ids=["elsewhere", "in vain"]
)
def test_who_keeps_nothing_there_comes_to_the_same(body, place):
    assert changed(body, place) == 0
