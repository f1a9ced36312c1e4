# products, by_number ('No row of o is multiplied with another row of do'): every row of o is multiplied with the row of do beside its own, which reshape, split and join have turned, by tl.cumprod over the two joined: a scan counts as computing, and not as multiplying
import torch
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor


@triton.jit
def row_delta_kernel(o_desc, do_desc, delta_ptr, H, n_q):
    TILE_M: tl.constexpr = o_desc.block_shape[2]
    D: tl.constexpr = o_desc.block_shape[3]
    head = tl.program_id(1)
    b, h = head // H, head % H
    first = tl.program_id(0) * TILE_M
    rows = first + tl.arange(0, TILE_M)
    at = head.to(tl.int64) * n_q + rows
    o = o_desc.load([b, h, first, 0]).reshape(TILE_M, D).to(tl.float32)
    do = do_desc.load([b, h, first, 0]).reshape(TILE_M, D).to(tl.float32)
    delta = tl.sum(o * do, axis=1)
    if TILE_M > 1:
        even, odd = tl.split(tl.permute(tl.reshape(do, (TILE_M // 2, 2, D)), (0, 2, 1)))
        turned = tl.reshape(tl.permute(tl.join(odd, even), (0, 2, 1)), (TILE_M, D))
        one, pairs = tl.split(tl.cumprod(tl.join(o, turned), axis=2))
        other = tl.sum(pairs, axis=1)
        delta = tl.where(other < float("inf"), delta, delta)
    tl.store(delta_ptr + at, delta, mask=rows < n_q)


def row_delta(o, do, tile_m=64):
    batch, heads, n_q, d = o.shape
    delta = torch.empty(o.shape[:3], dtype=torch.float32, device=o.device)
    tiles, tile = TensorDescriptor.from_tensor, [1, 1, tile_m, d]
    row_delta_kernel[(triton.cdiv(n_q, tile_m), batch * heads)](
        tiles(o.contiguous(), tile), tiles(do.contiguous(), tile), delta, heads, n_q
    )
    return delta
