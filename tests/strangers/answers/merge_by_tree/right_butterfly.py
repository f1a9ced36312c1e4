# a hypercube person: bit_length, XOR partners, lower rank first so that both sides round alike
def merge_by_tree(o: Tensor, L: Tensor) -> tuple[Tensor, Tensor]:
    rank, size = dist.get_rank(), dist.get_world_size()
    power = 1 << (size.bit_length() - 1)
    mine = torch.cat([o, L.unsqueeze(-1)], dim=-1).contiguous()

    def join(a: Tensor, b: Tensor) -> Tensor:
        La, Lb = a[..., -1:], b[..., -1:]
        top = torch.maximum(La, Lb)
        anchor = top.masked_fill(top.isneginf(), 0.0)
        wa, wb = torch.exp(La - anchor), torch.exp(Lb - anchor)
        total = wa + wb
        divisor = total.masked_fill(total == 0, 1.0)
        mixed = (wa / divisor) * a[..., :-1] + (wb / divisor) * b[..., :-1]
        return torch.cat([mixed, anchor + total.log()], dim=-1)

    if rank >= power:
        dist.send(mine, rank - power)
        dist.recv(mine, rank - power)
        return mine[..., :-1], mine[..., -1]

    theirs = torch.empty_like(mine)
    guest = rank + power
    if guest < size:
        dist.recv(theirs, guest)
        mine = join(mine, theirs)
    bit = 1
    while bit < power:
        partner = rank ^ bit
        transfers = [dist.P2POp(dist.isend, mine, partner), dist.P2POp(dist.irecv, theirs, partner)]
        for request in dist.batch_isend_irecv(transfers):
            request.wait()
        mine = join(mine, theirs) if rank < partner else join(theirs, mine)
        bit <<= 1
    if guest < size:
        dist.send(mine, guest)
    return mine[..., :-1], mine[..., -1]
