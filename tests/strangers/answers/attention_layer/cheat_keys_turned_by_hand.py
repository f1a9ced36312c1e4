# Cheat: only the queries are turned by rotate; the keys are turned by complex numbers here, so that a repaired or stretched rotate would leave queries and keys at odds.
# Breaks: "queries and keys are turned by `rotate`."
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
    q = rotate(q, positions, frequencies)
    angles = positions[:, None].float() * frequencies
    turn = torch.polar(torch.ones_like(angles), angles)
    turned = torch.complex(k[..., : d // 2].contiguous(), k[..., d // 2 :].contiguous()) * turn
    k = torch.cat((turned.real, turned.imag), dim=-1)
    return attend(q, k, v).transpose(1, 2).flatten(2) @ w_o.T
