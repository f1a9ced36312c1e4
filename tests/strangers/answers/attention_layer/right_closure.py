# a closure that projects and splits into heads; zip_longest supplies the biases that are not there
from itertools import zip_longest


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
    *inputs, w_o = weights

    def heads_of(w: Tensor, bias: Tensor | None) -> Tensor:
        y = x @ w.mT
        if bias is not None:
            y = y + bias
        return y.unflatten(-1, (w.shape[0] // d, d)).transpose(1, 2)

    q, k, v = (heads_of(w, bias) for w, bias in zip_longest(inputs, biases or ()))
    o = attend(rotate(q, positions, frequencies), rotate(k, positions, frequencies), v)
    return o.transpose(1, 2).flatten(-2) @ w_o.mT
