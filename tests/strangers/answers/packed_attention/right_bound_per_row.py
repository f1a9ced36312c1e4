# Right: one bound of visible keys for each row (mask and tail in one comparison), keys loaded as they lie and transposed, 64-bit offsets.
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
    position = rows // GROUP
    exists = position < n_q
    line = (kv * GROUP + rows % GROUP) * n_q + position
    block = line[:, None] * D + columns[None, :]
    q = tl.load(q_ptr + block, mask=exists[:, None], other=0.0)
    bound = tl.zeros((TILE_M,), tl.int32) + n_k  # this row sees the keys below it
    end = n_k
    if CAUSAL:
        bound = tl.minimum(bound, position + 1 + n_k - n_q)
        end = tl.minimum(n_k, (first + TILE_M - 1) // GROUP + 1 + n_k - n_q)
    for start in range(0, end, TILE_N):
        j = start + tl.arange(0, TILE_N)
        there = (j < n_k)[:, None]
        k = tl.load(k_ptr + j.to(tl.int64)[:, None] * k_row + columns[None, :], mask=there, other=0.0)
        s = tl.dot(q, tl.trans(k), input_precision="ieee") * scale_2
        s = tl.where(j[None, :] < bound[:, None], s, float("-inf"))
        top = tl.maximum(m, tl.max(s, axis=1))
        base = tl.where(top == float("-inf"), 0.0, top)
        p = tl.exp2(s - base[:, None])
        fade = tl.exp2(m - base)
        v = tl.load(v_ptr + j.to(tl.int64)[:, None] * v_row + columns[None, :], mask=there, other=0.0)
        acc = acc * fade[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
        l = l * fade + tl.sum(p, axis=1)
        m = top
    l = tl.where(l == 0.0, 1.0, l)
    tl.store(o_ptr + block, acc / l[:, None], mask=exists[:, None])
    tl.store(L_ptr + line, (m + tl.log2(l)) * 0.6931471805599453, mask=exists)


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
