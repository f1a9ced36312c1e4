# right: tiles as views from split, delta once for each tile of queries, base 2, addmm_ into the gradients
def attention_gradients_tiled(q, k, v, o, L, do, tile_m, tile_n, causal=False, scale=None):
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    dq, dk, dv = torch.zeros_like(q), torch.zeros_like(k), torch.zeros_like(v)
    log2e = 1.4426950408889634
    queries = [x.split(tile_m) for x in (q, o, L, do, dq)]
    row = 0
    for q_t, o_t, L_t, do_t, dq_t in zip(*queries):
        delta = torch.linalg.vecdot(do_t, o_t).unsqueeze(1)
        column = 0
        for k_t, v_t, dk_t, dv_t in zip(*(x.split(tile_n) for x in (k, v, dk, dv))):
            exponent = (torch.mm(q_t, k_t.t()) * scale - L_t.unsqueeze(1)) * log2e
            if causal:
                first_hidden = row - column + n_k - n_q + 1
                hidden = torch.ones_like(exponent, dtype=torch.bool).triu(first_hidden)
                exponent.masked_fill_(hidden, -torch.inf)
            p = exponent.exp2_()
            dv_t.addmm_(p.t(), do_t)
            p.mul_(torch.mm(do_t, v_t.t()) - delta).mul_(scale)
            dq_t.addmm_(p, k_t)
            dk_t.addmm_(p.t(), q_t)
            column += k_t.shape[0]
        row += q_t.shape[0]
    return dq, dk, dv
