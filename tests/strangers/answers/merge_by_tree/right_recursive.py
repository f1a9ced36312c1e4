# recursion over the digits, the lower rank's pair always first in a merge, batched requests
def merge_by_tree(o, L):
    rank, size = dist.get_rank(), dist.get_world_size()

    def cut(x):
        return x[..., :-1], x[..., -1]

    def talk(x, partner):
        y = torch.empty_like(x)
        ends = [dist.P2POp(dist.isend, x, partner), dist.P2POp(dist.irecv, y, partner)]
        for request in dist.batch_isend_irecv(ends):
            request.wait()
        return y

    def joined(low, high):
        o, L = merge(*cut(low), *cut(high))
        return torch.cat((o, L.unsqueeze(-1)), dim=-1).contiguous()

    def climb(x, bit):
        if 2 * bit > size:
            return x
        y = talk(x, rank ^ bit)
        return climb(joined(y, x) if rank & bit else joined(x, y), 2 * bit)

    x = torch.cat((o, L.unsqueeze(-1)), dim=-1).contiguous()
    power = 1
    while 2 * power <= size:
        power *= 2
    if rank >= power:
        dist.send(x, rank - power)
        x = torch.empty_like(x)
        dist.recv(x, rank - power)
    else:
        guest = rank + power
        if guest < size:
            y = torch.empty_like(x)
            dist.recv(y, guest)
            x = joined(x, y)
        x = climb(x, 1)
        if guest < size:
            dist.send(x, guest)
    o, L = cut(x)
    return o.clone(), L.clone()
