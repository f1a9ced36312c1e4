# recursion: halves the rectangle of tiles until one is left, hidden rectangles are dropped whole; gradients grow in place through views
def attention_gradients_tiled(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    o: Tensor,
    L: Tensor,
    do: Tensor,
    tile_m: int,
    tile_n: int,
    causal: bool = False,
    scale: float | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    n_q, n_k = q.shape[0], k.shape[0]
    sigma = q.shape[-1] ** -0.5 if scale is None else scale
    shift = n_k - n_q
    dq, dk, dv = torch.zeros_like(q), torch.zeros_like(k), torch.zeros_like(v)

    def one(a, b):
        top, bottom = a * tile_m, min((a + 1) * tile_m, n_q)
        left, right = b * tile_n, min((b + 1) * tile_n, n_k)
        qa, doa, kb, vb = q[top:bottom], do[top:bottom], k[left:right], v[left:right]
        p = (sigma * (qa @ kb.T) - L[top:bottom, None]).exp_()
        if causal and right - 1 > top + shift:  # the border runs through this tile
            keys = torch.arange(left, right)
            hidden = keys[None, :] > torch.arange(top + shift, bottom + shift)[:, None]
            p.masked_fill_(hidden, 0.0)
        dv[left:right].addmm_(p.T, doa)
        g = doa @ vb.T
        g.sub_((doa * o[top:bottom]).sum(dim=1, keepdim=True)).mul_(p)
        dq[top:bottom].addmm_(g, kb, alpha=sigma)
        dk[left:right].addmm_(g.T, qa, alpha=sigma)

    def visit(a0, a1, b0, b1):
        if a0 >= a1 or b0 >= b1:
            return
        if causal and b0 * tile_n > min(a1 * tile_m, n_q) - 1 + shift:
            return  # its last query does not see its first key
        if a1 - a0 == 1 and b1 - b0 == 1:
            one(a0, b0)
        elif a1 - a0 >= b1 - b0:
            half = (a0 + a1) // 2
            visit(a0, half, b0, b1)
            visit(half, a1, b0, b1)
        else:
            half = (b0 + b1) // 2
            visit(a0, a1, b0, half)
            visit(a0, a1, half, b1)

    visit(0, -(-n_q // tile_m), 0, -(-n_k // tile_n))
    return dq, dk, dv
