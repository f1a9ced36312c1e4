# gives q and k the square root of the scale each (PyTorch's math path): fails for a negative scale, and a scale of 0 is fine by chance
def attention_gradients(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    o: Tensor,
    L: Tensor,
    do: Tensor,
    causal: bool = False,
    scale: float | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    last_seen = torch.arange(n_q)[:, None] + n_k - n_q
    mask = torch.arange(n_k) <= last_seen if causal else None
    root = scale**0.5
    qs, ks = q * root, k * root
    s = qs @ ks.T
    if mask is not None:
        s = s.masked_fill(~mask, -torch.inf)
    p = torch.exp(s - L[:, None].masked_fill(L[:, None] == -torch.inf, 0))
    ds = p * (do @ v.T - (do * o).sum(-1, keepdim=True))
    return root * (ds @ ks), root * (ds.T @ qs), p.T @ do
