# style: straight
import torch
import triton
import triton.language as tl
from torch import Tensor
from triton.tools.tensor_descriptor import TensorDescriptor

device = "cuda" if torch.cuda.is_available() else "cpu"


@triton.jit
def row_delta_kernel(o_desc, do_desc, delta_ptr, H, n_q):
    """One program: delta of a tile of queries of one head."""
    TILE_M: tl.constexpr = o_desc.block_shape[2]
    D: tl.constexpr = o_desc.block_shape[3]
    head = tl.program_id(1)
    b, h = head // H, head % H
    first = tl.program_id(0) * TILE_M
    rows = first + tl.arange(0, TILE_M)
    at = head.to(tl.int64) * n_q + rows
    o = o_desc.load([b, h, first, 0]).reshape(TILE_M, D).to(tl.float32)
    do = do_desc.load([b, h, first, 0]).reshape(TILE_M, D).to(tl.float32)
    tl.store(delta_ptr + at, tl.sum(o * do, axis=1), mask=rows < n_q)


def row_delta(o: Tensor, do: Tensor, tile_m: int = 64) -> Tensor:
    """delta_i = sum_c o_ic do_ic, one number per query, which all its score gradients share.

    o, do: (B, H, N_q, d) float32, float16 or bfloat16, each with strides of its own; d: 16, 32,
    64 or 128. tile_m: queries in a tile, a power of 2.
    Returns delta (B, H, N_q) float32, summed in float32.
    Traffic: o and do are loaded once, delta is stored once. No row of o is multiplied with
    another row of do. In one launch, no program takes more than tile_m queries. Memory: delta,
    and copies of what is not contiguous.
    Beside launching its kernels this function may only allocate and take views, clone.
    Arguments stay as they are, and results are new memory.
    """
    batch, heads, n_q, d = o.shape
    delta = torch.empty(o.shape[:3], dtype=torch.float32, device=o.device)
    tiles, tile = TensorDescriptor.from_tensor, [1, 1, tile_m, d]
    row_delta_kernel[(triton.cdiv(n_q, tile_m), batch * heads)](
        tiles(o.contiguous(), tile), tiles(do.contiguous(), tile), delta, heads, n_q
    )
    return delta
