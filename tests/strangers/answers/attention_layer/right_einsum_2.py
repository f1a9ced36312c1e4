# style: einsum from rows to heads and back, W_o seen as (D, H, d)
import torch


def attention_layer(x, weights, d, positions, frequencies, biases=None, attend=None):
    attend = attend or causal_attention
    *projections, w_o = weights
    made = []
    for i, w in enumerate(projections):
        y = torch.einsum("bnx,hdx->bhnd", x, w.view(-1, d, w.shape[1]))
        if biases is not None:
            y = y + biases[i].view(-1, 1, d)
        made.append(rotate(y, positions, frequencies) if i < 2 else y)
    return torch.einsum("bhnd,xhd->bnx", attend(*made), w_o.view(w_o.shape[0], -1, d))
