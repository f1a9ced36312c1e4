# the maximum starts at a finite -1e30, rows are described by the number of keys that they see, and the end of the loop is the largest of these numbers
@triton.jit
def meet(acc, l, m, s, v):
    """Running sums after one more tile of masked scores; m stays finite."""
    m_new = tl.maximum(m, tl.max(s, axis=1))
    alpha, p = tl.exp2(m - m_new), tl.exp2(s - m_new[:, None])
    acc = tl.dot(p.to(v.dtype), v, acc * alpha[:, None], input_precision="ieee")
    return acc, l * alpha + tl.sum(p, axis=1), m_new


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
    member = rows - position * GROUP
    line = (kv * GROUP + member) * n_q + position
    real = rows < n_q * GROUP
    sees = tl.zeros((TILE_M,), tl.int32) + n_k  # number of keys that a row sees
    if CAUSAL:
        sees = tl.minimum(position + 1 + (n_k - n_q), n_k)
    sees = tl.where(real, sees, 0)
    at = line[:, None] * D + columns[None, :]
    q = tl.load(q_ptr + at, mask=real[:, None], other=0.0)
    m = tl.maximum(m, -1e30)  # finite from the start: a hidden score is -inf and weighs 0
    end = tl.max(sees, axis=0)
    for start in range(0, end, TILE_N):
        keys = start + tl.arange(0, TILE_N)
        k_at = keys[:, None].to(tl.int64) * k_row + columns[None, :]
        v_at = keys[:, None].to(tl.int64) * v_row + columns[None, :]
        k = tl.load(k_ptr + k_at, mask=keys[:, None] < n_k, other=0.0)
        v = tl.load(v_ptr + v_at, mask=keys[:, None] < n_k, other=0.0)
        s = tl.dot(q, tl.trans(k), input_precision="ieee") * scale_2
        s = tl.where(keys[None, :] < sees[:, None], s, float("-inf"))
        acc, l, m = meet(acc, l, m, s, v)
    empty = sees <= 0
    total = tl.where(empty, 1.0, l)
    o = tl.where(empty[:, None], 0.0, acc / total[:, None])
    L = tl.where(empty, float("-inf"), (m + tl.log2(total)) * 0.6931471805599453)
    tl.store(o_ptr + at, o.to(o_ptr.dtype.element_ty), mask=real[:, None])
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
    scale_2 = (d**-0.5 if scale is None else scale) * math.log2(math.e)
    packed_attention_kernel[(triton.cdiv(n_q * group, tile_m), batch * kv_heads)](
        q, k, v, o, L, kv_heads, n_q, n_k, scale_2, *k.stride()[:3], *v.stride()[:3],
        CAUSAL=causal, GROUP=group, D=d, TILE_M=tile_m, TILE_N=tile_n,
    )  # fmt: skip
    return o, L
