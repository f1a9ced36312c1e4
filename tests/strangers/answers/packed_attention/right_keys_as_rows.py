# Right: everything transposed, S^T = K Q^T and O^T += V^T P^T; a row's last key as a number; natural exponents.
@triton.jit
def packed_attention_kernel(
    q_ptr, k_ptr, v_ptr, o_ptr, L_ptr, H_kv, n_q, n_k, scale,
    k_batch, k_head, k_row, v_batch, v_head, v_row,
    CAUSAL: tl.constexpr, GROUP: tl.constexpr,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    """One program: up to TILE_M packed rows of one KV head meet the keys that they see."""
    kv = tl.program_id(1).to(tl.int64)
    batch = kv // H_kv
    kv_head = kv - batch * H_kv
    k_ptr += batch * k_batch + kv_head * k_head
    v_ptr += batch * v_batch + kv_head * v_head
    r = tl.program_id(0) * TILE_M + tl.arange(0, TILE_M)
    e = tl.arange(0, D)[:, None]
    position = r // GROUP
    line = (kv * GROUP + (r - position * GROUP)) * n_q + position
    exists = position < n_q
    qT = tl.load(q_ptr + line[None, :] * D + e, mask=exists[None, :], other=0)
    last = position * 0 + (n_k - 1)  # the last key that a row sees
    if CAUSAL:
        last = tl.minimum(last, position + (n_k - n_q))
    oT = tl.zeros((D, TILE_M), tl.float32)
    total = tl.zeros((TILE_M,), tl.float32)
    top = tl.full((TILE_M,), float("-inf"), tl.float32)
    for start in range(0, tl.max(last, axis=0) + 1, TILE_N):
        j = start + tl.arange(0, TILE_N)
        far = j.to(tl.int64)
        k = tl.load(k_ptr + far[:, None] * k_row + tl.trans(e), mask=j[:, None] < n_k, other=0)
        sT = tl.dot(k, qT, input_precision="ieee") * scale
        sT = tl.where(j[:, None] <= last[None, :], sT, float("-inf"))
        higher = tl.maximum(top, tl.max(sT, axis=0))
        zero = tl.where(higher > float("-inf"), higher, 0.0)
        pT = tl.exp(sT - zero[None, :])
        shrink = tl.exp(top - zero)
        vT = tl.load(v_ptr + far[None, :] * v_row + e, mask=j[None, :] < n_k, other=0)
        oT = oT * shrink[None, :] + tl.dot(vT, pT.to(vT.dtype), input_precision="ieee")
        total = total * shrink + tl.sum(pT, axis=0)
        top = higher
    some = tl.where(total > 0, total, 1.0)
    tl.store(o_ptr + line[None, :] * D + e, oT / some[None, :], mask=exists[None, :])
    tl.store(L_ptr + line, top + tl.log(some), mask=exists)


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
    o = torch.empty((batch, heads, n_q, d), dtype=q.dtype, device=q.device)
    L = torch.empty((batch, heads, n_q), dtype=torch.float32, device=q.device)
    packed_attention_kernel[(triton.cdiv(n_q * group, tile_m), batch * kv_heads)](
        q, k, v, o, L, kv_heads, n_q, n_k, d**-0.5 if scale is None else scale,
        *k.stride()[:3], *v.stride()[:3],
        CAUSAL=causal, GROUP=group, D=d, TILE_M=tile_m, TILE_N=tile_n,
    )  # fmt: skip
    return o, L
