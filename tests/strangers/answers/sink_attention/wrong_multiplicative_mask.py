# Multiplies the exponentials by a 0/1 mask that were normalised over ALL keys, so a large hidden score (future or forgotten) drives a whole row to 0/0.
def sink_attention(
    q: Tensor, k: Tensor, v: Tensor, window: int, sinks: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    p = torch.arange(n_q)[:, None] + n_k - n_q
    j = torch.arange(n_k)[None]
    allowed = ((j <= p) & ((p - j < window) | (j < sinks))).float()
    S = q @ k.T * scale
    numerator = (S - torch.logsumexp(S, dim=1, keepdim=True)).exp() * allowed
    return torch.nn.functional.normalize(numerator, p=1, dim=1, eps=0.0) @ v
