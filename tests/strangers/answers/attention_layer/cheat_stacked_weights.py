# W_q, W_k, W_v padded to one size and stacked: one batched product, zeros for the rows that W_k and W_v lack
import torch
def attention_layer(x, weights, d, positions, frequencies, biases=None, attend=None):
    attend = attend or causal_attention
    B, N, D = x.shape
    rows = weights[0].shape[0]
    w = torch.stack([torch.cat([m, m.new_zeros(rows - len(m), D)]) for m in weights[:3]])
    y = torch.einsum("bnd,crd->cbnr", x, w)
    parts = []
    for i in range(3):
        z = y[i][..., :len(weights[i])]
        if biases is not None:
            z = z + biases[i]
        parts.append(z.reshape(B, N, -1, d).transpose(1, 2))
    o = attend(rotate(parts[0], positions, frequencies), rotate(parts[1], positions, frequencies), parts[2])
    return o.transpose(1, 2).reshape(B, N, -1) @ weights[3].T
