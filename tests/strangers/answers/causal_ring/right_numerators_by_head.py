# a walk round the ring; a pair of chunks is computed by numerator and denominator head by head, and merged by hand in (numerator, maximum, denominator); right
def causal_ring(
    q: Tensor, k: Tensor, v: Tensor, positions: tuple[Tensor, ...]
) -> tuple[Tensor, Tensor]:
    rank, size = dist.get_rank(), dist.get_world_size()
    heads, n, d = q.shape
    group = heads // k.shape[0]
    half = (n + 1) // 2
    spans = [span for span in ((0, half), (half, n)) if span[0] < span[1]]
    acc = q.new_zeros(heads, n, v.shape[2])
    m = q.new_full((heads, n), -torch.inf)
    l = q.new_zeros(heads, n)

    def meet(a, b, keys, values, at):
        mine = positions[rank][a:b]
        if at[0] > mine[-1]:
            return
        hidden = None if at[-1] <= mine[0] else at[None, :] > mine[:, None]
        for h in range(heads):
            s = torch.mm(q[h, a:b], keys[h // group].t()).mul_(d**-0.5)
            if hidden is not None:
                s.masked_fill_(hidden, -torch.inf)
            top = torch.maximum(m[h, a:b], s.amax(dim=1))
            base = torch.where(top == -torch.inf, 0.0, top)
            shrink = torch.exp(m[h, a:b] - base)
            p = s.sub_(base[:, None]).exp_()
            l[h, a:b] = l[h, a:b] * shrink + p.sum(dim=1)
            acc[h, a:b] = acc[h, a:b] * shrink[:, None] + p @ values[h // group]
            m[h, a:b] = top

    def walk(step, keys, values):
        requests, coming = [], None
        if step + 1 < size:
            requests, coming = pass_on([keys, values], len(positions[(rank - step - 1) % size]))
        at = positions[(rank - step) % size]
        middle = (len(at) + 1) // 2
        for a, b in spans:
            for e, f in ((0, middle), (middle, len(at))):
                if e < f:
                    meet(a, b, keys[:, e:f], values[:, e:f], at[e:f])
        for request in requests:
            request.wait()
        return coming

    block = [k.contiguous(), v.contiguous()]
    for step in range(size):
        block = walk(step, *block)
    whole = torch.where(l > 0, l, 1.0)
    return acc / whole[..., None], m + torch.log(l)
