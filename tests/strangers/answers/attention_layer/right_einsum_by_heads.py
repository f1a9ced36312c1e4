# style: right; matrices cut into heads instead of rows, einsum in and out
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
    def by_head(w, bias):
        y = torch.einsum("bnc,hdc->bhnd", x, w.reshape(w.shape[0] // d, d, w.shape[1]))
        return y if bias is None else y + bias.reshape(-1, 1, d)

    b_q, b_k, b_v = (None, None, None) if biases is None else biases
    q, k, v = by_head(w_q, b_q), by_head(w_k, b_k), by_head(w_v, b_v)
    o = attend(rotate(q, positions, frequencies), rotate(k, positions, frequencies), v)
    heads = w_q.shape[0] // d
    return torch.einsum("bhnd,chd->bnc", o, w_o.reshape(w_o.shape[0], heads, d))
