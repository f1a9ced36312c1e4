# fills hidden scores with the lowest finite float: where L = -inf the exponent is +inf and P inf, so blind queries (causal, n_q > n_k) give NaN; with n_q <= n_k right
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
    scores = (q @ k.T) * scale
    if causal:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    probs = torch.exp(scores - L.unsqueeze(1))
    grad_probs = do @ v.T
    grad_scores = probs * (grad_probs - (o * do).sum(1).unsqueeze(1)) * scale
    return grad_scores @ k, grad_scores.T @ q, probs.T @ do
