# A while loop that moves tiles of pointers along, keys loaded transposed; natural exponentials after the factor ln 2; a boolean mask for everything.
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
    pos = rows // GROUP
    exists = pos < n_q
    here = ((kv * GROUP + rows % GROUP) * n_q + pos).to(tl.int64)
    q = tl.load(q_ptr + here[:, None] * D + columns[None, :], mask=exists[:, None], other=0.0)
    limit = n_k
    if CAUSAL:
        limit = tl.minimum((first + TILE_M - 1) // GROUP + 1 + n_k - n_q, n_k)
    lanes = tl.arange(0, TILE_N)
    k_tile = k_ptr + lanes[None, :].to(tl.int64) * k_row + columns[:, None]  # (D, TILE_N)
    v_tile = v_ptr + lanes[:, None].to(tl.int64) * v_row + columns[None, :]  # (TILE_N, D)
    k_step = tl.full((), TILE_N, tl.int64) * k_row
    v_step = tl.full((), TILE_N, tl.int64) * v_row
    start = 0
    while start < limit:
        j = start + lanes
        kt = tl.load(k_tile, mask=(j < limit)[None, :], other=0.0)
        vt = tl.load(v_tile, mask=(j < limit)[:, None], other=0.0)
        s = tl.dot(q, kt, input_precision="ieee") * (scale_2 * 0.6931471805599453)
        ok = (j < limit)[None, :] & exists[:, None]
        if CAUSAL:
            ok = ok & (j[None, :] <= pos[:, None] + (n_k - n_q))
        s = tl.where(ok, s, float("-inf"))
        top = tl.maximum(m, tl.max(s, 1))
        ref = tl.where(top > float("-inf"), top, 0.0)
        shrink = tl.exp(m - ref)
        p = tl.exp(s - ref[:, None])
        acc = tl.dot(p.to(vt.dtype), vt, acc * shrink[:, None], input_precision="ieee")
        l = l * shrink + tl.sum(p, 1)
        m = top
        k_tile += k_step
        v_tile += v_step
        start += TILE_N
    some = l > 0
    inverse = 1.0 / tl.where(some, l, 1.0)
    tl.store(o_ptr + here[:, None] * D + columns[None, :], (acc * inverse[:, None]).to(o_ptr.dtype.element_ty), mask=exists[:, None])
    tl.store(L_ptr + here, tl.where(some, m + tl.log(tl.where(some, l, 1.0)), float("-inf")), mask=exists)


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
