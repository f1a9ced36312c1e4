# Looks the subscripts of einsum up by the number of axes and knows those of up to three.
def naive_softmax(x):
    rows = {1: "n->", 2: "rn->r", 3: "brn->br"}[x.ndim]
    e = np.exp(x)
    return e / np.einsum(rows, e)[..., None]
