# mask by the age of a key with window and sinks cut to N_k first, weights by exp of s - logsumexp, einsum; keeps the contract
def sink_attention(
    q: Tensor, k: Tensor, v: Tensor, window: int, sinks: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    reach, kept = min(window, n_k), min(sinks, n_k)
    age = torch.arange(n_k - n_q, n_k, device=q.device).unsqueeze(1) - torch.arange(n_k, device=q.device)
    seen = age.lt(reach)
    seen[:, :kept] = True
    seen.logical_and_(age >= 0)
    scores = torch.einsum("id,jd->ij", q, k).mul(scale)
    scores = torch.where(seen, scores, scores.new_tensor(float("-inf")))
    weights = (scores - torch.logsumexp(scores, dim=1, keepdim=True)).exp()
    return torch.einsum("ij,jc->ic", weights, v)
