# Each block's log-sum-exp instead of its maximum and denominator; logaddexp by hand, state updated in place.
def attention_by_blocks(
    q: Tensor, k: Tensor, v: Tensor, order: list[int], tile_n: int, causal: bool = False,
    scale: float | None = None,
) -> tuple[Tensor, Tensor]:
    n_q, n_k = q.shape[0], k.shape[0]
    o, L = q.new_zeros(n_q, v.shape[1]), q.new_full((n_q,), -torch.inf)
    row = torch.arange(n_q)[:, None] + n_k - n_q
    for b in order:
        first, last = b * tile_n, min((b + 1) * tile_n, n_k)
        mask = torch.arange(first, last) <= row if causal else None
        o_b, m_b, l_b = attention_block(q, k[first:last], v[first:last], mask, scale)
        L_b = m_b + torch.log(l_b)
        top = torch.maximum(L, L_b)
        safe = torch.where(top == -torch.inf, 0.0, top)
        w, w_b = torch.exp(L - safe), torch.exp(L_b - safe)
        total = w + w_b
        share = torch.where(total == 0, 1.0, total)
        o = (w / share)[:, None] * o + (w_b / share)[:, None] * o_b
        L = safe + torch.log(total)
    return o, L
