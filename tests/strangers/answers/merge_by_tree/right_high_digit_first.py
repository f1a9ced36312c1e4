# pairs from the highest binary digit down, leftover ranks handled by one helper that sends and receives any list of messages
def joined(x, y):
    """Two packed results as one, the same bits whichever comes first."""
    both = torch.stack((x, y))
    L = both[..., -1]
    top = L.amax(dim=0)
    zero = torch.where(torch.isneginf(top), torch.zeros_like(top), top)
    weights = torch.exp(L - zero)
    total = weights[0] + weights[1]
    parts = weights.unsqueeze(-1) * both[..., :-1]
    o = (parts[0] + parts[1]) / torch.where(total > 0, total, torch.ones_like(total)).unsqueeze(-1)
    return torch.cat((o, (zero + total.log()).unsqueeze(-1)), dim=-1)


def merge_by_tree(o: Tensor, L: Tensor) -> tuple[Tensor, Tensor]:
    """Attention over all ranks' keys, by messages between pairs of ranks.

    Runs on W ranks, W of any size, 1 included. Let P be the largest power of two that is not
    larger than W. (Other pairs will do, in as many rounds.)
    Rank r >= P sends what it has to rank r - P and gets the result from there at the end.
    Meanwhile ranks 0 to P - 1 merge: in round i = 0, 1, ..., log2(P) - 1 rank r and rank
    r XOR 2^i, whose numbers differ in binary digit i, exchange what they have, and both
    merge it.

    o: (B, H, d_v), L: (B, H) float32: attention over this rank's keys; 0 and -inf where it has
    none.
    Returns o (B, H, d_v), L (B, H) over all ranks' keys, in new memory, same dtype, bit for bit
    the same on every rank; 0 and -inf for a sequence of which no rank has a key.
    Messages: one for each round, o and L in one tensor. No collective.
    Time: log2(P) rounds of messages, and two more if W is not P; both messages of an exchange
    are on their way at once.
    Forbidden: all_reduce, all_gather. It stays within torch and Python. Arguments stay as
    they are, and results are new memory.
    """
    rank, size = dist.get_rank(), dist.get_world_size()
    P = 1
    while 2 * P <= size:
        P *= 2
    own = torch.cat((o, L.unsqueeze(-1)), dim=-1).contiguous()

    def messages(send=None, receive=None):
        """Send what there is and receive from another rank, both at once; what came."""
        came, asked = torch.empty_like(own), []
        if receive is not None:
            asked.append(dist.irecv(came, receive))
        if send is not None:
            asked.append(dist.isend(own, send))
        for request in asked:
            request.wait()
        return came

    partner = rank - P if rank >= P else rank + P
    if rank >= P:
        messages(send=partner)
        own = messages(receive=partner)
    else:
        if partner < size:
            own = joined(own, messages(receive=partner))
        digit = P // 2
        while digit:
            own = joined(own, messages(send=rank ^ digit, receive=rank ^ digit))
            digit //= 2
        if partner < size:
            messages(send=partner)
    o, L = own.split((own.shape[-1] - 1, 1), dim=-1)
    L = L.squeeze(-1)
    return o.clone(), L.clone()
