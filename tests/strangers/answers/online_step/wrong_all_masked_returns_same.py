# If the key is masked for all queries, returns the very tensors that came in, not new ones; every other input is handled rightly on clones.
def online_step(
    o: Tensor, m: Tensor, l: Tensor, s: Tensor, v: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    live = s > -torch.inf
    if not live.any():
        return o, m, l
    o2, m2, l2 = o.clone(), m.clone(), l.clone()
    m2[live] = torch.maximum(m, s)[live]
    past = l[live] * torch.exp(m[live] - m2[live])
    now = torch.exp(s[live] - m2[live])
    l2[live] = past + now
    o2[live] = (past / l2[live])[:, None] * o[live] + (now / l2[live])[:, None] * v
    return o2, m2, l2
