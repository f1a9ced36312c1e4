# Cheat: takes three chunks at a time, laid out as a batch of matrices that have `chunk` rows each
# Breaks: "chunk: the most consecutive queries at a time."
def chunked_prefill(
    q: Tensor, k: Tensor, v: Tensor, chunk: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    begin = 0
    while begin < n_q:
        together = min(3, (n_q - begin) // chunk)
        size = chunk if together else n_q - begin
        together = max(together, 1)
        end = begin + together * size
        seen = end + n_k - n_q
        s = q[begin:end].unflatten(0, (together, size)) @ k[:seen].T  # (together, size, keys)
        s *= scale
        last = torch.arange(begin, end).unflatten(0, (together, size, 1)) + n_k - n_q
        s.masked_fill_(torch.arange(seen) > last, -torch.inf)
        s -= s.amax(dim=-1, keepdim=True)
        s.exp_()
        s /= s.sum(dim=-1, keepdim=True)
        o[begin:end] = (s @ v[:seen]).flatten(0, 1)
        begin = end
    return o
