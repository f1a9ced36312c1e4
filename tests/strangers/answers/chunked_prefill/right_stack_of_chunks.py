# Takes chunk borders from a stack, last chunk first; a closure masks full rows by position and divides by the row sum at the end.
def chunked_prefill(
    q: Tensor, k: Tensor, v: Tensor, chunk: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])

    def answer(begin, end):
        position = torch.arange(begin, end)[:, None] + (n_k - n_q)
        S = scale * (q[begin:end] @ k.T)
        S = torch.where(torch.arange(n_k) <= position, S, -torch.inf)
        E = torch.exp(S - S.amax(-1, keepdim=True))
        o[begin:end] = (E @ v) / E.sum(-1, keepdim=True)

    stack = list(range(0, n_q, chunk))
    while stack:
        begin = stack.pop()
        answer(begin, min(begin + chunk, n_q))
    return o
