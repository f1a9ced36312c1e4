# einsum, base-2 exponentials, blind rows by a where on the denominator; keeps the contract
def naive_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[1], k.shape[1]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    s = torch.einsum("hid,hjd->hij", q, k) * (scale * 1.4426950408889634)
    if causal:
        last = torch.arange(n_q, device=q.device) + (n_k - n_q)
        hidden = torch.arange(n_k, device=q.device)[None, :] > last[:, None]
        s = torch.where(hidden[None], torch.full_like(s, float("-inf")), s)
    if n_k == 0:
        return v.new_zeros(q.shape[0], n_q, v.shape[2])
    top = s.max(dim=2, keepdim=True).values
    top = torch.where(torch.isinf(top), torch.zeros_like(top), top)
    p = torch.pow(2.0, s - top)
    total = p.sum(dim=2, keepdim=True)
    total = torch.where(total > 0, total, torch.ones_like(total))
    return torch.einsum("hij,hjc->hic", p / total, v)
