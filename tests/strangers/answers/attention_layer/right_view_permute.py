# Right: the usual view and transpose, linear functions with their biases.
def attention_layer(x, weights, d, positions, frequencies, biases=None, attend=None):
    if attend is None:
        attend = causal_attention
    b, n, _ = x.shape
    bq, bk, bv = biases if biases is not None else (None, None, None)
    lin = torch.nn.functional.linear
    q = lin(x, weights[0], bq).view(b, n, -1, d).permute(0, 2, 1, 3)
    k = lin(x, weights[1], bk).view(b, n, -1, d).permute(0, 2, 1, 3)
    v = lin(x, weights[2], bv).view(b, n, -1, d).permute(0, 2, 1, 3)
    q = rotate(q, positions, frequencies)
    k = rotate(k, positions, frequencies)
    out = attend(q, k, v).permute(0, 2, 1, 3).reshape(b, n, -1)
    return lin(out, weights[3])
