# memory budget, ways out of torch: a complex tensor is no floating-point one, so its tolist is not noted; all scores lie in lists of Python's complex numbers
def online_attention(q, k, v, tile_n, causal=False, scale=None):
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    rows = [[] for _ in range(len(q))]
    for j in range(0, len(k), tile_n):
        s = q @ k[j : j + tile_n].T * scale
        for row, part in zip(rows, torch.complex(s, s).tolist()):
            row += part
    weights = []
    for i, row in enumerate(rows):
        if causal:
            row = [x if j <= i + len(k) - len(q) else -float("inf") for j, x in enumerate(row)]
        top = max((x.real for x in row), default=0.0)
        top = 0.0 if top == -float("inf") else top
        p = [2.718281828459045 ** (x.real - top) for x in row]
        total = sum(p) or 1.0
        weights.append([x / total for x in p])
    o = q.new_zeros(len(q), v.shape[1])
    for j in range(0, len(k), tile_n):
        o += torch.tensor([w[j : j + tile_n] for w in weights], dtype=q.dtype) @ v[j : j + tile_n]
    return o
