# Wrong: numbers the queries from 0 instead of N_k - N_q (torch.tril / triu on the rectangle without a diagonal offset); right for N_q = N_k, wrong for queries behind cached tokens.
def sink_attention(
    q: Tensor, k: Tensor, v: Tensor, window: int, sinks: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    ones = torch.ones(n_q, n_k)
    banded = torch.tril(ones) * torch.maximum(torch.triu(ones, 1 - window), (torch.arange(n_k) < sinks) * ones)
    logits = (q * scale) @ k.mT + torch.log(banded)
    return torch.nn.functional.softmax(logits, dim=-1) @ v
