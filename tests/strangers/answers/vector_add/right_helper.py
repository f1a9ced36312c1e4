# Right: Triton's tutorial with two small helper functions that are inlined.
import torch
import triton
import triton.language as tl
from torch import Tensor


@triton.jit
def offsets_of(pid, BLOCK_SIZE: tl.constexpr):
    return pid * BLOCK_SIZE + tl.arange(0, BLOCK_SIZE)


@triton.jit
def plus(a, b):
    return a + b


@triton.jit
def add_kernel(x_ptr, y_ptr, output_ptr, n_elements, BLOCK_SIZE: tl.constexpr):
    pid = tl.program_id(axis=0)
    offsets = offsets_of(pid, BLOCK_SIZE)
    mask = offsets < n_elements
    x = tl.load(x_ptr + offsets, mask=mask)
    y = tl.load(y_ptr + offsets, mask=mask)
    tl.store(output_ptr + offsets, plus(x, y), mask=mask)


def vector_add(x: Tensor, y: Tensor, tile: int = 1024) -> Tensor:
    output = torch.empty_like(x)
    n_elements = output.numel()
    grid = lambda meta: (triton.cdiv(n_elements, meta["BLOCK_SIZE"]),)
    add_kernel[grid](x, y, output, n_elements, BLOCK_SIZE=tile)
    return output
