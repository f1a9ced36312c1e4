# itertools.product over pairs of chunks, batch_isend_irecv at the top of each step
from itertools import product


def causal_ring(
    q: Tensor, k: Tensor, v: Tensor, positions: tuple[Tensor, ...]
) -> tuple[Tensor, Tensor]:
    rank, size = dist.get_rank(), dist.get_world_size()
    k, v = k.contiguous(), v.contiguous()
    queries = list(zip(q.tensor_split(2, dim=1), positions[rank].tensor_split(2), strict=True))
    outputs = [x.new_zeros(*x.shape[:2], v.shape[2]) for x, _ in queries]
    sums = [x.new_full(x.shape[:2], -torch.inf) for x, _ in queries]
    group = q.shape[0] // k.shape[0]

    def part(x: Tensor, at: Tensor, keys: Tensor, values: Tensor, there: Tensor):
        """Attention of a chunk of queries with a chunk of keys that it sees at least in part."""
        heads, n, d = x.shape
        rows = x.reshape(k.shape[0], group * n, d)
        s = torch.bmm(rows, keys.mT).mul_(d**-0.5).view(heads, n, -1)
        s = s.masked_fill_(there > at[:, None], -torch.inf)
        L = s.logsumexp(dim=-1)
        p = s.sub_(L.masked_fill(L.isneginf(), 0.0).unsqueeze(-1)).exp_()
        return torch.bmm(p.view(k.shape[0], group * n, -1), values).view(heads, n, -1), L

    for step in range(size):
        requests, incoming = [], None
        if step < size - 1:
            length = len(positions[(rank - step - 1) % size])
            incoming = [x.new_empty(x.shape[0], length, x.shape[2]) for x in (k, v)]
            messages = []
            if k.shape[1]:
                messages += [dist.P2POp(dist.isend, x, (rank + 1) % size) for x in (k, v)]
            if length:
                messages += [dist.P2POp(dist.irecv, x, (rank - 1) % size) for x in incoming]
            requests = dist.batch_isend_irecv(messages) if messages else []

        theirs = positions[(rank - step) % size].tensor_split(2)
        blocks = zip(k.tensor_split(2, dim=1), v.tensor_split(2, dim=1), theirs, strict=True)
        for (c, (x, at)), (keys, values, there) in product(enumerate(queries), blocks):
            if len(at) == 0 or len(there) == 0 or int(there[0]) > int(at[-1]):
                continue  # nobody sees anything
            o, L = part(x, at, keys, values, there)
            outputs[c], sums[c] = merge(outputs[c], sums[c], o, L)

        for request in requests:
            request.wait()
        if incoming is not None:
            k, v = incoming
    return torch.cat(outputs, dim=1), torch.cat(sums, dim=1)
