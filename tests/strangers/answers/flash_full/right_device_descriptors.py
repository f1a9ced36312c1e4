# descriptors made in the kernel, tl.range with stages, heuristics for warps, tl.assume
import math
import torch
import triton
import triton.language as tl
from torch import Tensor


@triton.heuristics({"num_warps": lambda a: 4 if a["D"] <= 64 else 8})
@triton.jit
def attn(q_ptr, k_ptr, v_ptr, o_ptr, n_q, n_k, scale, D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr):
    tl.static_assert(TILE_N >= 16)
    tl.assume(n_k > 0)
    head = tl.program_id(1)
    first = tl.multiple_of(tl.program_id(0) * TILE_M, TILE_M)
    rows = tl.num_programs(1) * n_q
    cols = tl.num_programs(1) * n_k
    qd = tl.make_tensor_descriptor(q_ptr, [rows, D], [D, 1], [TILE_M, D])
    kd = tl.make_tensor_descriptor(k_ptr, [cols, D], [D, 1], [TILE_N, D])
    vd = tl.make_tensor_descriptor(v_ptr, [cols, D], [D, 1], [TILE_N, D])
    od = tl.make_tensor_descriptor(o_ptr, [rows, D], [D, 1], [TILE_M, D])
    q = qd.load([head * n_q + first, 0])
    m = tl.full([TILE_M], float("-inf"), tl.float32)
    l = tl.full([TILE_M], 0, tl.float32)
    acc = tl.full([TILE_M, D], 0, tl.float32)
    for s in tl.range(0, n_k, TILE_N, num_stages=3):
        k = kd.load([head * n_k + s, 0])
        x = tl.dot(q, tl.trans(k), input_precision="ieee") * scale
        new = tl.maximum(m, tl.max(x, axis=1))
        p = tl.exp(x - new[:, None])
        f = tl.exp(m - new)
        l = tl.fma(l, f, tl.sum(p, axis=1))
        v = vd.load([head * n_k + s, 0])
        acc = tl.dot(p.to(v.dtype), v, acc * f[:, None], input_precision="ieee")
        m = new
    od.store([head * n_q + first, 0], tl.div_rn(acc, l[:, None] + tl.zeros_like(acc)).to(o_ptr.dtype.element_ty))


def flash_full(q: Tensor, k: Tensor, v: Tensor, scale: float | None = None, tile_m: int = 64, tile_n: int = 64) -> Tensor:
    B, H, n_q, d = q.shape
    o = torch.empty_like(q)

    def alloc(size: int, alignment: int, stream):
        return torch.empty(size, device=q.device, dtype=torch.int8)

    if q.is_cuda:
        triton.set_allocator(alloc)
    attn[(n_q // tile_m, B * H)](q, k, v, o, n_q, k.shape[2], d**-0.5 if scale is None else scale, D=d, TILE_M=tile_m, TILE_N=tile_n)
    return o
