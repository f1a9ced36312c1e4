# right: weights are seen as (heads, d, D) and einsum makes heads at once, without cutting rows afterwards
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

    def heads(matrix: Tensor, i: int) -> Tensor:
        rows = torch.einsum("bnm,hcm->bhnc", x, matrix.unflatten(0, (-1, d)))
        return rows if biases is None else rows + biases[i].unflatten(0, (-1, 1, d))

    q, k, v = (heads(matrix, i) for i, matrix in enumerate((w_q, w_k, w_v)))
    o = attend(rotate(q, positions, frequencies), rotate(k, positions, frequencies), v)
    return torch.einsum("bhnc,mhc->bnm", o, w_o.unflatten(1, (-1, d)))
