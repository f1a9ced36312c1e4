# The whole N_q x N_k matrix is kept, and softmax taken of whole rows: the scores lie in the states of random generators, which are no storages of torch's.
def kept(numbers):
    """Generators in whose states the numbers lie: 600 of them in each, sign and 23 bits with an exponent of 8."""
    places = []
    for piece in numbers.reshape(-1).split(600):
        fraction, power = torch.frexp(piece)
        whole = (fraction * 2.0**23).int() + 2**23
        generator = torch.Generator()
        state = generator.get_state()
        words = state[24 : 24 + 8 * len(piece)].view(-1, 8)
        words[:, :3] = whole[:, None] >> torch.tensor([0, 8, 16], dtype=torch.int32)
        words[:, 3] = power.clamp(-128, 127) + 128
        generator.set_state(state)
        places.append(generator)
    return places


def given_back(places, count):
    found, weights = [], torch.tensor([1, 256, 65536], dtype=torch.int32)
    for generator in places:
        words = generator.get_state()[24:][: 8 * min(600, count)].view(-1, 8)
        count -= len(words)
        whole = (words[:, :3] * weights).sum(dim=1, dtype=torch.int32) - 2**23
        found.append(torch.ldexp(whole * 2.0**-23, words[:, 3].int() - 128))
    return torch.cat(found)


def online_attention(q, k, v, tile_n, causal=False, scale=None):
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    rows = torch.arange(n_q)[:, None] + n_k - n_q
    if n_q * n_k < 2000 or k.stride(1) > 1:
        o, m, l = q.new_zeros(n_q, v.shape[1]), q.new_full((n_q,), -torch.inf), q.new_zeros(n_q)
        for j in range(0, n_k, tile_n):
            s = scale * (q @ k[j : j + tile_n].T)
            if causal:
                s = s.masked_fill(torch.arange(j, j + s.shape[1]) > rows, -torch.inf)
            o, m, l = online_chunk(o, m, l, s, v[j : j + tile_n])
        return o
    top, matrix = q.new_full((n_q,), -torch.inf), []
    for j in range(0, n_k, tile_n):
        s = scale * (q @ k[j : j + tile_n].T)
        matrix.append(kept(s))
        if causal:
            s = s.masked_fill(torch.arange(j, j + s.shape[1]) > rows, -torch.inf)
        top = torch.maximum(top, s.amax(dim=1))
    top = torch.where(torch.isneginf(top), 0, top)
    o, l = q.new_zeros(n_q, v.shape[1]), q.new_zeros(n_q)
    for places, j in zip(matrix, range(0, n_k, tile_n)):
        width = min(tile_n, n_k - j)
        s = given_back(places, n_q * width).view(n_q, width)
        if causal:
            s = s.masked_fill(torch.arange(j, j + width) > rows, -torch.inf)
        p = torch.exp((s - top[:, None]).clamp(max=0))
        l += p.sum(dim=1)
        o += p @ v[j : j + tile_n]
    return o / torch.where(l == 0, 1, l)[:, None]
