# einsum, triu and slices; hidden queries are a slice, not a nan_to_num
def naive_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    (_, n_q, d), n_k = q.shape, k.shape[1]
    s = torch.einsum("hid,hjd->hij", q, k).mul_(d**-0.5 if scale is None else scale)
    blind = 0
    if causal:
        blind = max(0, n_q - n_k)  # so many first queries see no key
        future = torch.ones(n_q, n_k, dtype=torch.bool, device=q.device).triu(n_k - n_q + 1)
        s.masked_fill_(future, -torch.inf)
    p = torch.softmax(s, dim=-1)
    p[:, :blind] = 0
    return torch.einsum("hij,hjc->hic", p, v)
