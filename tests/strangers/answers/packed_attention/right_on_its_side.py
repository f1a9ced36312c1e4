# transposed: scores (TILE_N, TILE_M), output (D, TILE_M); natural exponentials, the mask as a count of keys that each row sees; right
@triton.jit
def packed_attention_kernel(
    q_ptr, k_ptr, v_ptr, o_ptr, L_ptr, H_kv, n_q, n_k, scale,
    k_batch, k_head, k_row, v_batch, v_head, v_row,
    CAUSAL: tl.constexpr, GROUP: tl.constexpr,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    kv = tl.program_id(1).to(tl.int64)
    b, h = kv // H_kv, kv % H_kv
    k_ptr += b * k_batch + h * k_head
    v_ptr += b * v_batch + h * v_head
    first = tl.program_id(0) * TILE_M
    r = first + tl.arange(0, TILE_M)
    pos = r // GROUP
    member = r - pos * GROUP
    real = pos < n_q
    line = (kv * GROUP + member) * n_q + pos
    c = tl.arange(0, D)
    where = line[None, :] * D + c[:, None]  # (D, TILE_M)
    q = tl.load(q_ptr + where, mask=real[None, :], other=0.0)
    count = tl.zeros((TILE_M,), tl.int32) + n_k  # keys that each row sees
    if CAUSAL:
        count = tl.minimum(tl.maximum(pos + 1 + n_k - n_q, 0), n_k)
    count = tl.where(real, count, 0)
    most = tl.max(count, axis=0)
    top = tl.full((TILE_M,), float("-inf"), tl.float32)
    total = tl.zeros((TILE_M,), tl.float32)
    out = tl.zeros((D, TILE_M), tl.float32)
    for start in range(0, most, TILE_N):
        j = start + tl.arange(0, TILE_N)
        wide = j.to(tl.int64)
        k = tl.load(k_ptr + wide[:, None] * k_row + c[None, :], mask=(j < n_k)[:, None], other=0.0)
        v = tl.load(v_ptr + wide[:, None] * v_row + c[None, :], mask=(j < n_k)[:, None], other=0.0)
        s = scale * tl.dot(k, q, input_precision="ieee")
        s = tl.where(j[:, None] < count[None, :], s, float("-inf"))
        new = tl.maximum(top, tl.max(s, axis=0))
        base = tl.where(new == float("-inf"), 0.0, new)
        shrink = tl.exp(top - base)
        p = tl.exp(s - base[None, :])
        total = total * shrink + tl.sum(p, axis=0)
        out = out * shrink[None, :]
        out += tl.dot(tl.trans(v), p.to(v.dtype), input_precision="ieee")
        top = new
    safe = tl.where(total > 0.0, total, 1.0)
    out = out / safe[None, :]
    L = tl.where(total > 0.0, top + tl.log(safe), float("-inf"))
    tl.store(o_ptr + where, out.to(o_ptr.dtype.element_ty), mask=real[None, :])
    tl.store(L_ptr + line, L, mask=real)


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
    factor = d**-0.5 if scale is None else scale
    packed_attention_kernel[(triton.cdiv(n_q * group, tile_m), batch * kv_heads)](
        q, k, v, o, L, kv_heads, n_q, n_k, factor, *k.stride()[:3], *v.stride()[:3],
        CAUSAL=causal, GROUP=group, D=d, TILE_M=tile_m, TILE_N=tile_n,
    )  # fmt: skip
    return o, L
