# calls attend once for each query head: a cache behind it takes every key several times
def attention_layer(
    x: Tensor,
    weights: Sequence[Tensor],
    d: int,
    positions: Tensor,
    frequencies: Tensor,
    biases: Sequence[Tensor] | None = None,
    attend: Attend | None = None,
) -> Tensor:
    attend = attend or causal_attention
    w_q, w_k, w_v, w_o = weights
    B, N, _ = x.shape
    q, k, v = x @ w_q.T, x @ w_k.T, x @ w_v.T
    if biases is not None:
        q, k, v = q + biases[0], k + biases[1], v + biases[2]
    q, k, v = (z.reshape(B, N, -1, d).transpose(1, 2) for z in (q, k, v))
    q, k = rotate(q, positions, frequencies), rotate(k, positions, frequencies)
    group = q.shape[1] // k.shape[1]
    o = torch.cat([attend(q[:, h : h + 1], k[:, h // group][:, None], v[:, h // group][:, None]) for h in range(q.shape[1])], 1)
    return o.transpose(1, 2).reshape(B, N, -1) @ w_o.T
