# F.linear with its biases, unflatten and flatten for the heads, keys and queries turned at once
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
    b_q, b_k, b_v = biases or (None, None, None)
    F = torch.nn.functional
    q = F.linear(x, w_q, b_q).unflatten(-1, (-1, d)).movedim(2, 1)
    k = F.linear(x, w_k, b_k).unflatten(-1, (-1, d)).movedim(2, 1)
    v = F.linear(x, w_v, b_v).unflatten(-1, (-1, d)).movedim(2, 1)
    turned = rotate(torch.cat([q, k], 1), positions, frequencies)
    o = attend(turned[:, : q.shape[1]], turned[:, q.shape[1] :], v)
    return F.linear(o.movedim(1, 2).flatten(2), w_o)
