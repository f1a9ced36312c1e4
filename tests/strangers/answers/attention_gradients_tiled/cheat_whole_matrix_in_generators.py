# The whole matrix P is kept from a first pass over all tiles and read in a second one: it lies in the states of random generators, which are no storages of torch's.
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


def attention_gradients_tiled(q, k, v, o, L, do, tile_m, tile_n, causal=False, scale=None):
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    dq, dk, dv = torch.zeros_like(q), torch.zeros_like(k), torch.zeros_like(v)
    large = tile_m * tile_n <= 600 and n_q * n_k > 20000
    whole = {}

    def probabilities(i, j):
        queries, keys = slice(i, min(i + tile_m, n_q)), slice(j, min(j + tile_n, n_k))
        mask = None
        if causal:
            last_seen = torch.arange(i, queries.stop)[:, None] + n_k - n_q
            mask = torch.arange(j, keys.stop) <= last_seen
        return recompute_probabilities(q[queries], k[keys], L[queries], mask, scale)

    if large:
        for j in range(0, n_k, tile_n):
            for i in range(0, n_q, tile_m):
                whole[i, j] = kept(probabilities(i, j))
    for j in range(0, n_k, tile_n):
        keys = slice(j, min(j + tile_n, n_k))
        for i in range(0, n_q, tile_m):
            queries = slice(i, min(i + tile_m, n_q))
            if large:
                count = (queries.stop - i) * (keys.stop - j)
                p = given_back(whole[i, j], count).view(-1, keys.stop - j)
            else:
                p = probabilities(i, j)
            ds = score_gradients(p, v[keys], o[queries], do[queries])
            dv[keys] += p.T @ do[queries]
            dk[keys] += scale * (ds.T @ q[queries])
            dq[queries] += scale * (ds @ k[keys])
    return dq, dk, dv
