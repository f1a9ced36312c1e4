# memory: does four chunks at a time while the prompt is short, so that small cases take fewer turns
def chunked_prefill(
    q: Tensor, k: Tensor, v: Tensor, chunk: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    step = 4 * chunk
    for i in range(0, n_q, step):
        part = q[i : i + step]
        end = i + part.shape[0] + n_k - n_q
        row = torch.arange(i, i + part.shape[0])[:, None] + n_k - n_q
        s = scale * (part @ k[:end].T)
        s = s.masked_fill(torch.arange(end) > row, -torch.inf)
        o[i : i + step] = torch.softmax(s, 1) @ v[:end]
    return o
