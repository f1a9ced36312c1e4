# a loop over heads, each with its rows of the matrices
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
    heads, kv_heads = len(w_q) // d, len(w_k) // d

    def projected(w, bias, count):
        found = []
        for h in range(count):
            rows = slice(h * d, (h + 1) * d)
            one = x @ w[rows].T
            found.append(one if bias is None else one + bias[rows])
        return torch.stack(found, dim=1)

    b_q, b_k, b_v = (None, None, None) if biases is None else biases
    q = rotate(projected(w_q, b_q, heads), positions, frequencies)
    k = rotate(projected(w_k, b_k, kv_heads), positions, frequencies)
    o = attend(q, k, projected(w_v, b_v, kv_heads))
    y = torch.zeros(x.shape)
    for h in range(heads):
        y += o[:, h] @ w_o[:, h * d : (h + 1) * d].T
    return y
