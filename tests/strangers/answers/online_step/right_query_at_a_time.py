# a loop over the R queries in Python floats of tensors, state copied through for masked scores
def online_step(
    o: Tensor, m: Tensor, l: Tensor, s: Tensor, v: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    outs, ms, ls = [], [], []
    for o_r, m_r, l_r, s_r in zip(o, m, l, s):
        if s_r == -torch.inf:
            outs.append(o_r.clone()), ms.append(m_r.clone()), ls.append(l_r.clone())
            continue
        if s_r > m_r:
            old, new, top = l_r * torch.exp(m_r - s_r), torch.ones_like(l_r), s_r
        else:
            old, new, top = l_r, torch.exp(s_r - m_r), m_r
        total = old + new
        outs.append((old / total) * o_r + (new / total) * v)
        ms.append(top)
        ls.append(total)
    return torch.stack(outs), torch.stack(ms), torch.stack(ls)
