# Wrong: collects the chunks in a list and concatenates; with N_q = 0 (everything cached) the list is empty and torch.cat raises, where (0, d_v) is due.
def chunked_prefill(
    q: Tensor, k: Tensor, v: Tensor, chunk: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    past = n_k - n_q
    outputs = []
    for i in range(0, n_q, chunk):
        q_chunk = q[i : i + chunk]
        position = past + i + torch.arange(q_chunk.shape[0])
        scores = q_chunk @ k.transpose(0, 1) * scale
        scores[torch.arange(n_k)[None, :] > position[:, None]] = float("-inf")
        outputs.append(scores.softmax(dim=-1) @ v)
    return torch.cat(outputs, dim=0)
