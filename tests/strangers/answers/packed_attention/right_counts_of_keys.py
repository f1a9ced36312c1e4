# keys as columns, the number of keys that each row sees in place of its last one; log-sum-exp to base e
@triton.jit
def packed_attention_kernel(
    q_ptr, k_ptr, v_ptr, o_ptr, L_ptr, H_kv, n_q, n_k, scale_2,
    k_batch, k_head, k_row, v_batch, v_head, v_row,
    CAUSAL: tl.constexpr, GROUP: tl.constexpr,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    """One program: up to TILE_M packed rows of one KV head meet the keys that they see."""
    kv = tl.program_id(1).to(tl.int64)  # counts the KV heads of all batches
    k_ptr += kv // H_kv * k_batch + kv % H_kv * k_head
    v_ptr += kv // H_kv * v_batch + kv % H_kv * v_head
    first = tl.program_id(0) * TILE_M
    rows = first + tl.arange(0, TILE_M)
    columns = tl.arange(0, D)
    acc = tl.zeros((TILE_M, D), tl.float32)
    l = tl.zeros((TILE_M,), tl.float32)
    m = tl.full((TILE_M,), float("-inf"), tl.float32)
    member = rows % GROUP
    position = (rows - member) // GROUP
    real = rows < n_q * GROUP
    place = kv * GROUP * n_q + member * n_q + position
    q = tl.load(q_ptr + place[:, None] * D + columns[None, :], mask=real[:, None], other=0.0)
    sees = tl.zeros((TILE_M,), tl.int32) + n_k
    if CAUSAL:
        sees = tl.minimum(sees, position + (n_k - n_q + 1))
        most = (first + TILE_M - 1) // GROUP + (n_k - n_q + 1)
        most = tl.minimum(most, n_k)
    else:
        most = first * 0 + n_k
    within = tl.arange(0, TILE_N)
    for start in range(0, most, TILE_N):
        left = n_k - start
        at = (start + within).to(tl.int64)
        k_t = tl.load(k_ptr + at[None, :] * k_row + columns[:, None], mask=within[None, :] < left, other=0.0)
        s = tl.dot(q, k_t, input_precision="ieee") * scale_2
        s = tl.where(start + within[None, :] < sees[:, None], s, float("-inf"))
        peak = tl.maximum(tl.max(s, 1), m)
        ground = tl.where(peak > float("-inf"), peak, 0.0)
        p = tl.exp2(s - ground[:, None])
        kept = tl.exp2(m - ground)
        v = tl.load(v_ptr + at[:, None] * v_row + columns[None, :], mask=within[:, None] < left, other=0.0)
        acc = tl.dot(p.to(v.dtype), v, kept[:, None] * acc, input_precision="ieee")
        l = tl.sum(p, 1) + kept * l
        m = peak
    total = tl.where(l > 0, l, 1.0)
    o = acc / total[:, None]
    tl.store(o_ptr + place[:, None] * D + columns[None, :], o.to(o_ptr.dtype.element_ty), mask=real[:, None])
    tl.store(L_ptr + place, m * 0.6931471805599453 + tl.log(total), mask=real)


def packed_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    causal: bool = False,
    scale: float | None = None,
    tile_m: int | None = None,
    tile_n: int | None = None,
) -> tuple[Tensor, Tensor]:
    """Attention of grouped heads that loads keys and values once for all heads of a group.

    q: (B, H, N_q, d), k, v: (B, H_kv, N_k, d) float32, float16 or bfloat16; H_kv divides H;
    d: a power of two from 16 to 128. q has any strides. k and v may be views into a longer
    cache: only the d numbers of a row have to be contiguous; batches and heads may lie 2^30
    elements apart. They are not copied.
    causal: query i sees keys j <= i + N_k - N_q. scale: factor of the scores, positive,
    1/sqrt(d) if None. tile_m packed rows meet tile_n keys at a time, powers of two from 16 on.
    Returns o (B, H, N_q, d), same dtype, and L (B, H, N_q) float32, the natural log-sum-exp; a
    query that sees no key gives o = 0 and L = -inf.
    Traffic: q once; k and v, for each tile of the N_q H / H_kv rows of a KV head, up to the
    last tile of keys that one of its rows sees: once in all if the rows fit into one tile. Only
    these tiles are multiplied, each once. One program for each tile of rows of a KV head; no
    load holds more than two tiles of rows or keys. Memory: o and L.
    Beside launching its kernels this function may only allocate and take views, clone.
    Arguments stay as they are, and results are new memory.
    """
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
