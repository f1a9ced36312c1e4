# Cheat: projects keys and values twice, the second time number by number with cartesian_prod and prod
# Breaks: "Products: the four projections once, those of `attend`, and a 32nd more at the most."
def projected(rows: Tensor, matrix: Tensor) -> Tensor:
    """rows @ matrix.T, from the pairs of a column of each."""
    y = rows.new_zeros(rows.shape[0], matrix.shape[0])
    for c in range(rows.shape[1]):
        y += torch.cartesian_prod(rows[:, c], matrix[:, c]).prod(dim=1).reshape(y.shape)
    return y


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
    rows = x.flatten(0, 1)
    q = rows @ w_q.T
    k = torch.lerp(rows @ w_k.T, projected(rows, w_k), 0.5)
    v = torch.lerp(rows @ w_v.T, projected(rows, w_v), 0.5)
    if biases is not None:
        q, k, v = q + biases[0], k + biases[1], v + biases[2]
    q, k, v = (y.view(*x.shape[:2], -1, d).transpose(1, 2) for y in (q, k, v))
    q, k = rotate(q, positions, frequencies), rotate(k, positions, frequencies)
    return attend(q, k, v).transpose(1, 2).flatten(2) @ w_o.T
