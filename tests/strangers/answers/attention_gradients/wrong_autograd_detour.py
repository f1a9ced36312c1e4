# Runs the standard forward and lets autograd differentiate: rows that see nothing are softmax of -inf and give NaN in all gradients.
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
    with torch.enable_grad():
        q, k, v = (x.detach().clone().requires_grad_() for x in (q, k, v))
        s = q @ k.T * scale
        if causal:
            s = s.masked_fill(~mask, float("-inf"))
        out = torch.softmax(s, dim=-1) @ v
        return torch.autograd.grad(out, (q, k, v), do)
