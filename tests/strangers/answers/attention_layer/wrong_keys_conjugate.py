# plain products; keys are turned by -positions, as ports with complex numbers do that conjugate twice, so scores know the sum of positions
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
    q, k, v = x @ w_q.T, x @ w_k.T, x @ w_v.T
    if biases is not None:
        q, k, v = q + biases[0], k + biases[1], v + biases[2]
    q, k, v = (y.unflatten(-1, (-1, d)).transpose(1, 2) for y in (q, k, v))
    q, k = rotate(q, positions, frequencies), rotate(k, -positions, frequencies)
    o = attend(q, k, v)
    return o.transpose(1, 2).flatten(2) @ w_o.T
