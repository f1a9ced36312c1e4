# Wrong: hides keys by adding -10000 (old BERT style) instead of -inf, so a hidden key whose score is more than 1e4 above the seen ones (large q, k or scale) takes the weight; ordinary scores are right.
def sink_attention(
    q: Tensor, k: Tensor, v: Tensor, window: int, sinks: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    ones = torch.ones(n_q, n_k, dtype=q.dtype)
    band = ones.tril(n_k - n_q) - ones.tril(n_k - n_q - window)
    band[:, :sinks] = ones.tril(n_k - n_q)[:, :sinks]
    scores = torch.matmul(q, k.transpose(0, 1)) * scale
    scores = scores + (1.0 - band) * -10000.0
    return torch.matmul(torch.softmax(scores, dim=-1), v)
