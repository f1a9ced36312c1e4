# biases are added after the rotation, head by head
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
    q, k, v = (z.reshape(B, N, -1, d).transpose(1, 2) for z in (q, k, v))
    q, k = rotate(q, positions, frequencies), rotate(k, positions, frequencies)
    if biases is not None:
        q, k, v = (z + b.reshape(-1, 1, d) for z, b in zip((q, k, v), biases))
    o = attend(q, k, v)
    return o.transpose(1, 2).reshape(B, N, -1) @ w_o.T
