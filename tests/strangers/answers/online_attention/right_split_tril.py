# chunks by split, additive mask from a tril of one chunk, the update written out; keeps the contract
def online_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    tile_n: int,
    causal: bool = False,
    scale: float | None = None,
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    factor = 1 / q.shape[1] ** 0.5 if scale is None else scale
    out = q.new_zeros((n_q, v.shape[1]))
    top = q.new_full((n_q, 1), float("-inf"))
    total = q.new_zeros((n_q, 1))
    begin = 0
    for keys, values in zip(k.split(tile_n), v.split(tile_n)):
        if len(keys) == 0:
            continue
        score = torch.mm(q, keys.t()).mul_(factor)
        if causal:
            seen = torch.ones_like(score, dtype=torch.bool).tril_(n_k - n_q - begin)
            score.masked_fill_(seen.logical_not_(), float("-inf"))
        higher = torch.maximum(top, score.amax(1, keepdim=True))
        zero = torch.where(higher == float("-inf"), torch.zeros_like(higher), higher)
        weight = score.sub_(zero).exp_()
        kept = total * torch.exp(top - zero)
        total = kept + weight.sum(1, keepdim=True)
        out = torch.addmm(kept * out, weight, values)
        out = out / torch.where(total == 0, torch.ones_like(total), total)
        top = higher
        begin += len(keys)
    return out
