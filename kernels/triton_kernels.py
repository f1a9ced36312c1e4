"""First Triton kernels: tiles of a vector, and a row for each program.

Left out: any axis but the last of a matrix, and rows that do not fit into one tile.
"""

import torch
import triton
import triton.language as tl
from torch import Tensor


@triton.jit
def vector_add_kernel(x_ptr, y_ptr, out_ptr, n, TILE: tl.constexpr):
    """One tile of out = x + y: program i adds elements i * TILE to (i + 1) * TILE - 1."""
    ### BEGIN SOLUTION
    offsets = tl.program_id(0) * TILE + tl.arange(0, TILE)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    y = tl.load(y_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, x + y, mask=mask)
    ### END SOLUTION


def vector_add(x: Tensor, y: Tensor, tile: int = 1024) -> Tensor:
    """The sum of two vectors, one program for each tile of consecutive elements, in order.

    x, y: (n,) float32, float16 or bfloat16, contiguous, n < 2^31. tile: elements per program,
    a power of two. Returns x + y, (n,), same dtype.
    Bytes moved: those of x and y once, and those of the result once. Memory: the result.
    One launch runs all programs.
    """
    out = torch.empty_like(x)
    n = x.numel()
    vector_add_kernel[(triton.cdiv(n, tile),)](x, y, out, n, TILE=tile)
    return out


@triton.jit
def row_max_kernel(x_ptr, m_ptr, row_stride, col_stride, cols, TILE: tl.constexpr):
    """The maximum of one row, which lies in one tile: TILE >= cols."""
    row = tl.program_id(0).to(tl.int64)  # x may have more than 2**31 elements
    ### BEGIN SOLUTION
    j = tl.arange(0, TILE)
    pointers = x_ptr + row * row_stride + j * col_stride
    x = tl.load(pointers, mask=j < cols, other=float("-inf"))
    tl.store(m_ptr + row, tl.max(x, axis=0))
    ### END SOLUTION


def row_max(x: Tensor) -> Tensor:
    """The maximum of every row, one program for each row.

    x: (R, N) float32, float16 or bfloat16, with any strides, 0 too: rows may lie 2^30 elements
    apart, elements of a row lie within 2^31. Entries may be -inf.
    Returns m (R,), same dtype: m_i = max_j x_ij, and -inf for a row of -inf.
    Bytes moved: those of x once, and those of m once. Memory: m. One launch.
    """
    rows, cols = x.shape
    m = torch.empty(rows, dtype=x.dtype, device=x.device)
    tile = triton.next_power_of_2(cols)
    row_max_kernel[(rows,)](x, m, x.stride(0), x.stride(1), cols, TILE=tile)
    return m


@triton.jit
def score_tile_kernel(
    q_ptr, k_ptr, s_ptr, n_q, n_k, scale,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    """One tile of S: program (a, b) has queries from a * TILE_M on, keys from b * TILE_N on."""
    ### BEGIN SOLUTION
    rows = tl.program_id(0) * TILE_M + tl.arange(0, TILE_M)
    keys = tl.program_id(1) * TILE_N + tl.arange(0, TILE_N)
    columns = tl.arange(0, D)
    q = tl.load(q_ptr + rows[:, None] * D + columns[None, :], mask=rows[:, None] < n_q, other=0)
    k = tl.load(k_ptr + keys[:, None] * D + columns[None, :], mask=keys[:, None] < n_k, other=0)
    s = tl.dot(q, k.T, input_precision="ieee") * scale
    inside = (rows[:, None] < n_q) & (keys[None, :] < n_k)
    tl.store(s_ptr + rows[:, None] * n_k + keys[None, :], s, mask=inside)
    ### END SOLUTION


def score_tile(
    q: Tensor, k: Tensor, scale: float, tile_m: int = 64, tile_n: int = 64
) -> Tensor:
    """The scores of one head, one program for each tile of consecutive queries and keys.

    q: (N_q, d), k: (N_k, d), contiguous, float32, float16 or bfloat16; d: a power of two from
    16 to 128; N_q d, N_k d and N_q N_k < 2^31. scale: of any sign, or 0. tile_m, tile_n:
    queries and keys per program, powers of two from 16 to 128.
    Returns S (N_q, N_k), float32. Products and sums are exact or float32, and nothing on the
    way to S is rounded to TF32 or to 16 bits.
    Bytes moved, at most: for each program the queries and the keys of its tile, and S once.
    Each tile is multiplied once. Memory: S. One launch.

        S = scale * q k^T
    """
    n_q, d = q.shape
    n_k = k.shape[0]
    s = torch.empty(n_q, n_k, dtype=torch.float32, device=q.device)
    grid = (triton.cdiv(n_q, tile_m), triton.cdiv(n_k, tile_n))
    score_tile_kernel[grid](q, k, s, n_q, n_k, scale, D=d, TILE_M=tile_m, TILE_N=tile_n)
    return s
