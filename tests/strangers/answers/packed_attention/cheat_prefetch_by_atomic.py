# BREAKS: "k and v, for each tile of the N_q H / H_kv rows of a KV head, up to the last tile of keys that one of its rows sees"
# COSTS: each tile of keys is read a second time, and written, by an atomic on k that changes nothing
import math
import torch
import triton
import triton.language as tl
from torch import Tensor


@triton.jit
def packed_attention_kernel(
    q_ptr, k_ptr, v_ptr, o_ptr, L_ptr, H_kv, n_q, n_k, scale_2,
    k_batch, k_head, k_row, v_batch, v_head, v_row,
    CAUSAL: tl.constexpr, GROUP: tl.constexpr,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    kv = tl.program_id(1).to(tl.int64)  # counts the KV heads of all batches
    k_ptr += kv // H_kv * k_batch + kv % H_kv * k_head
    v_ptr += kv // H_kv * v_batch + kv % H_kv * v_head
    first = tl.program_id(0) * TILE_M
    rows = first + tl.arange(0, TILE_M)
    columns = tl.arange(0, D)
    acc = tl.zeros((TILE_M, D), tl.float32)
    l = tl.zeros((TILE_M,), tl.float32)
    m = tl.full((TILE_M,), float("-inf"), tl.float32)
    n_rows = n_q * GROUP
    position, member = rows // GROUP, rows % GROUP
    query = (kv * GROUP + member) * n_q + position
    q = tl.load(q_ptr + query[:, None] * D + columns, mask=rows[:, None] < n_rows, other=0)
    last = position * 0 + n_k - 1
    if CAUSAL:
        last = tl.minimum(position, n_q - 1) + n_k - n_q
    end = tl.max(last, axis=0) + 1
    for start in range(0, n_k, TILE_N):
        if start < end:
            keys = start + tl.arange(0, TILE_N)
            k = tl.load(k_ptr + keys[:, None] * k_row + columns, mask=keys[:, None] < n_k, other=0)
            v = tl.load(v_ptr + keys[:, None] * v_row + columns, mask=keys[:, None] < n_k, other=0)
            k = tl.where(keys[:, None] < n_k, tl.atomic_add(k_ptr + keys[:, None] * k_row + columns, tl.zeros((TILE_N, D), k.dtype), mask=keys[:, None] < n_k), 0)
            s = tl.dot(q, k.T, input_precision="ieee") * scale_2
            s = tl.where((keys < n_k) & (keys <= last[:, None]), s, float("-inf"))
            new = tl.maximum(m, tl.max(s, axis=1))
            to = tl.where(new == float("-inf"), 0.0, new)
            alpha = tl.exp2(m - to)
            p = tl.exp2(s - to[:, None])
            l = l * alpha + tl.sum(p, axis=1)
            acc = acc * alpha[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
            m = new
    o = acc / tl.where(l == 0, 1.0, l)[:, None]
    tl.store(o_ptr + query[:, None] * D + columns, o, mask=rows[:, None] < n_rows)
    L = tl.where(l == 0, float("-inf"), (m + tl.log2(tl.where(l == 0, 1.0, l))) * 0.6931471805599453)
    tl.store(L_ptr + query, L, mask=rows < n_rows)


def packed_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    causal: bool = False,
    scale: float | None = None,
    tile_m: int | None = None,
    tile_n: int | None = None,
) -> tuple[Tensor, Tensor]:
    batch, heads, n_q, d = q.shape
    kv_heads, n_k = k.shape[1:3]
    group = heads // kv_heads
    tile_m = tile_m or min(64, max(16, triton.next_power_of_2(n_q * group)))
    tile_n = tile_n or (32 if q.dtype == torch.float32 else 64)
    q = q.contiguous()
    o = torch.empty_like(q)
    L = torch.empty(q.shape[:3], dtype=torch.float32, device=q.device)
    scale_2 = (d**-0.5 if scale is None else scale) * math.log2(math.e)
    packed_attention_kernel[(triton.cdiv(n_q * group, tile_m), batch * kv_heads)](
        q, k, v, o, L, kv_heads, n_q, n_k, scale_2, *k.stride()[:3], *v.stride()[:3],
        CAUSAL=causal, GROUP=group, D=d, TILE_M=tile_m, TILE_N=tile_n,
    )  # fmt: skip
    return o, L
