# Cheat: where all that a partner has weighs less than float32 can see, it is not merged: the heavier of the two is taken as it is, on both ranks, so that products and exponentials are left out by what the tensors hold.
# Breaks: "rank r and rank r XOR 2^i ... exchange what they have, and both merge it."
def merge_by_tree(o: Tensor, L: Tensor) -> tuple[Tensor, Tensor]:
    rank, size = dist.get_rank(), dist.get_world_size()
    P = 1 << (size.bit_length() - 1)
    mine = torch.cat((o, L[..., None]), dim=-1).contiguous()
    if rank >= P:
        dist.send(mine, rank - P)
        dist.recv(mine, rank - P)
        return mine[..., :-1], mine[..., -1]

    def together(a, b):
        apart = a[..., -1] - b[..., -1]
        if bool((apart > 40).all()):
            return a
        if bool((apart < -40).all()):
            return b
        found, lse = merge(a[..., :-1], a[..., -1], b[..., :-1], b[..., -1])
        return torch.cat((found, lse[..., None]), dim=-1).contiguous()

    if rank + P < size:
        theirs = torch.empty_like(mine)
        dist.recv(theirs, rank + P)
        mine = together(mine, theirs)
    digit = 1
    while digit < P:
        theirs = torch.empty_like(mine)
        ops = [dist.P2POp(dist.isend, mine, rank ^ digit)]
        ops.append(dist.P2POp(dist.irecv, theirs, rank ^ digit))
        for request in dist.batch_isend_irecv(ops):
            request.wait()
        mine = together(mine, theirs)
        digit *= 2
    if rank + P < size:
        dist.send(mine, rank + P)
    return mine[..., :-1], mine[..., -1]
