# A generator makes one block at a time and functools.reduce merges them from the identity on.
def attention_by_blocks(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    order: list[int],
    tile_n: int,
    causal: bool = False,
    scale: float | None = None,
) -> tuple[Tensor, Tensor]:
    from functools import reduce

    n_q, n_k = len(q), len(k)

    def part(b):
        keys = slice(b * tile_n, min((b + 1) * tile_n, n_k))
        mask = None
        if causal:
            reach = torch.arange(n_k - n_q, n_k, device=q.device)
            mask = torch.arange(keys.start, keys.stop, device=q.device) <= reach[:, None]
        return attention_block(q, k[keys], v[keys], mask, scale)

    nothing = q.new_zeros(n_q, v.shape[1]), q.new_full((n_q,), -torch.inf), q.new_zeros(n_q)
    o, m, l = reduce(lambda a, b: merge_blocks(*a, *b), map(part, order), nothing)
    return o, m + l.log()
