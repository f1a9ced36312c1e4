# Cheat: rows at position 0 are never handed to rotate, since their angle is 0 and nothing would change: a first token is half of the calls of a short prompt.
# Breaks: "queries and keys are turned by `rotate`" (those at position 0 are not).
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
    later = positions > 0
    if later.all():
        both = rotate(torch.cat((q, k), dim=1), positions, frequencies)
        q, k = both.split((q.shape[1], k.shape[1]), dim=1)
    elif later.any():
        q, k = q.clone(), k.clone()
        for y in (q, k):
            y[:, :, later] = rotate(y[:, :, later], positions[later], frequencies)
    return attend(q, k, v).transpose(1, 2).flatten(2) @ w_o.T
