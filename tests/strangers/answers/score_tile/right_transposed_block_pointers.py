# Right: block pointers, that of k transposed by its strides (order (0, 1)), a jit helper that makes them, num_stages keyword
import torch
import triton
import triton.language as tl
from torch import Tensor

device = "cuda" if torch.cuda.is_available() else "cpu"


@triton.jit
def tile_of(base, rows, width: tl.constexpr, first, TILE: tl.constexpr):
    return tl.make_block_ptr(
        base=base,
        shape=(rows, width),
        strides=(width, 1),
        offsets=(first, 0),
        block_shape=(TILE, width),
        order=(1, 0),
    )


@triton.jit
def score_tile_kernel(
    q_ptr, k_ptr, s_ptr, n_q, n_k, scale,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    """One tile of S: program (a, b) has queries from a * TILE_M on, keys from b * TILE_N on."""
    a, b = tl.program_id(0), tl.program_id(1)
    q = tl.load(tile_of(q_ptr, n_q, D, a * TILE_M, TILE_M), boundary_check=(0,), padding_option="zero")
    k_t = tl.load(
        tl.make_block_ptr(k_ptr, (D, n_k), (1, D), (0, b * TILE_N), (D, TILE_N), (0, 1)),
        boundary_check=(1,), padding_option="zero",
    )  # fmt: skip
    s = scale * tl.dot(q, k_t, input_precision="ieee", out_dtype=tl.float32)
    s_tile = tl.make_block_ptr(
        s_ptr, (n_q, n_k), (n_k, 1), (a * TILE_M, b * TILE_N), (TILE_M, TILE_N), (1, 0)
    )
    tl.store(s_tile, s, boundary_check=(0, 1))


def score_tile(
    q: Tensor, k: Tensor, scale: float, tile_m: int = 64, tile_n: int = 64
) -> Tensor:
    """The scores of one head, one program for each tile of consecutive queries and keys."""
    (n_q, d), (n_k, _) = q.shape, k.shape
    s = q.new_empty((n_q, n_k), dtype=torch.float32)
    score_tile_kernel[triton.cdiv(n_q, tile_m), triton.cdiv(n_k, tile_n)](
        q, k, s, n_q, n_k, scale, d, tile_m, tile_n, num_warps=4, num_stages=1
    )
    return s
