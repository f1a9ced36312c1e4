# Wrong: builds the complete N_q x N_k mask once before the loop and cuts rows out of it, so memory is N_q x N_k and not chunk x N_k (small chunks, long prompts); values are right.
def chunked_prefill(
    q: Tensor, k: Tensor, v: Tensor, chunk: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    attn_mask = torch.zeros(n_q, n_k)
    future = torch.ones(n_q, n_k, dtype=torch.bool).triu(n_k - n_q + 1)
    attn_mask[future] = float("-inf")
    for begin in range(0, n_q, chunk):
        end = min(begin + chunk, n_q)
        scores = q[begin:end] @ k.T * scale + attn_mask[begin:end]
        o[begin:end] = torch.softmax(scores, dim=-1) @ v
    return o
