# Merges normalised outputs by the log-sum-exp to base 2, which scores of -100,000 round by percents.
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
    who, when = rows % GROUP, rows // GROUP
    line = (kv * GROUP + who) * n_q + when
    q = tl.load(q_ptr + line[:, None] * D + columns, mask=when[:, None] < n_q, other=0)
    sees = n_k + tl.zeros((TILE_M,), tl.int32)
    if CAUSAL:
        sees = tl.minimum(sees, when + 1 + n_k - n_q)
    sees = tl.where(when < n_q, sees, 0)
    L2 = m  # log-sum-exp so far, base 2; acc is normalised, l is not needed
    for start in range(0, tl.max(sees, 0), TILE_N):
        j = start + tl.arange(0, TILE_N)
        far = j.to(tl.int64)[:, None]
        k = tl.load(k_ptr + far * k_row + columns, mask=j[:, None] < n_k, other=0)
        v = tl.load(v_ptr + far * v_row + columns, mask=j[:, None] < n_k, other=0)
        s = tl.dot(q, k.T, input_precision="ieee") * scale_2
        s = tl.where(j[None, :] < sees[:, None], s, float("-inf"))
        top = tl.max(s, 1)
        top = tl.where(top == float("-inf"), 0.0, top)
        p = tl.exp2(s - top[:, None])
        L_tile = top + tl.log2(tl.sum(p, 1))
        high = tl.maximum(L2, L_tile)
        high = tl.where(high == float("-inf"), 0.0, high)
        L_new = high + tl.log2(tl.exp2(L2 - high) + tl.exp2(L_tile - high))
        base = tl.where(L_new == float("-inf"), 0.0, L_new)
        pv = tl.dot(p.to(v.dtype), v, input_precision="ieee")
        acc = acc * tl.exp2(L2 - base)[:, None] + pv * tl.exp2(top - base)[:, None]
        L2 = L_new
    tl.store(o_ptr + line[:, None] * D + columns, acc, mask=when[:, None] < n_q)
    tl.store(L_ptr + line, L2 * 0.69314718055994531, mask=when < n_q)


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
