# Builds its own tril mask aligned at the top left: wrong for causal with N_q != N_k.
def attention_gradients(
    q: Tensor, k: Tensor, v: Tensor, o: Tensor, L: Tensor, do: Tensor,
    causal: bool = False, scale: float | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    mask = torch.tril(torch.ones(len(q), len(k), dtype=torch.bool)) if causal else None
    p = recompute_probabilities(q, k, L, mask, scale)
    ds = score_gradients(p, v, o, do)
    return scale * ds @ k, scale * ds.T @ q, p.T @ do
