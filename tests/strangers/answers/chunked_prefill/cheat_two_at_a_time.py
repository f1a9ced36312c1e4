# Cheat: two chunks, one of the first half and one of the second half of the prompt, are taken in one batched product: twice `chunk` queries at a time, in half as many rounds.
# Breaks: "Causal attention of a prompt, `chunk` queries at a time."
def chunked_prefill(
    q: Tensor, k: Tensor, v: Tensor, chunk: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    columns = torch.arange(n_k)
    half = n_q // 2 if n_q >= 2 * chunk else 0
    pairs = q[: 2 * half].unflatten(0, (2, half)) if half else None
    for begin in range(0, half, chunk):
        end = min(begin + chunk, half)
        s = torch.matmul(pairs[:, begin:end] * scale, k.T)
        i = torch.arange(begin, end) + n_k - n_q
        i = torch.stack((i, i + half))[:, :, None]
        p = torch.softmax(s.masked_fill_(columns > i, -torch.inf), dim=-1)
        o[: 2 * half].unflatten(0, (2, half))[:, begin:end] = torch.matmul(p, v)
    for begin in range(2 * half, n_q, chunk):
        end = min(begin + chunk, n_q)
        s = (q[begin:end] * scale) @ k.T
        i = torch.arange(begin, end)[:, None] + n_k - n_q
        o[begin:end] = torch.softmax(s.masked_fill_(columns > i, -torch.inf), dim=-1) @ v
    return o
