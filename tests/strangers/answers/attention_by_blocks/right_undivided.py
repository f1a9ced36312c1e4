# style: right; FlashAttention's accumulator, undivided until the end, without the earlier functions
def attention_by_blocks(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    order: list[int],
    tile_n: int,
    causal: bool = False,
    scale: float | None = None,
) -> tuple[Tensor, Tensor]:
    n_q, n_k = q.shape[0], k.shape[0]
    factor = q.shape[1] ** -0.5 if scale is None else scale
    last = torch.arange(n_q, device=q.device) + (n_k - n_q)
    top = torch.full((n_q, 1), -torch.inf, dtype=q.dtype, device=q.device)
    total = torch.zeros((n_q, 1), dtype=q.dtype, device=q.device)
    acc = torch.zeros((n_q, v.shape[1]), dtype=q.dtype, device=q.device)
    for b in order:
        begin = b * tile_n
        end = min(begin + tile_n, n_k)
        s = (q @ k[begin:end].T).mul_(factor)
        if causal:
            where = torch.arange(begin, end, device=q.device)
            s.masked_fill_(where[None, :] > last[:, None], -torch.inf)
        new = torch.maximum(top, s.amax(dim=1, keepdim=True))
        base = new.masked_fill(new == -torch.inf, 0)
        p = s.sub_(base).exp_()
        alpha = torch.exp(top - base)
        total = total * alpha + p.sum(dim=1, keepdim=True)
        acc = acc.mul_(alpha).addmm_(p, v[begin:end])
        top = new
    o = acc / total.masked_fill(total == 0, 1)
    return o, (top + total.log()).squeeze(1)
