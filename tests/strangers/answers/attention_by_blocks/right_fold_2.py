# map and reduce over the blocks that are visited, nothing but expressions
from functools import reduce
from itertools import starmap


def attention_by_blocks(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    order: list[int],
    tile_n: int,
    causal: bool = False,
    scale: float | None = None,
) -> tuple[Tensor, Tensor]:
    n_q, n_k = q.shape[0], k.shape[0]
    reach = torch.arange(n_q, device=q.device)[:, None] + (n_k - n_q)

    def spans():
        for block in order:
            yield block * tile_n, min((block + 1) * tile_n, n_k)

    def partial(start: int, stop: int):
        mask = torch.arange(start, stop, device=q.device) <= reach if causal else None
        return attention_block(q, k[start:stop], v[start:stop], mask, scale)

    def merge(left, right):
        return merge_blocks(*left, *right)

    o, m, l = reduce(merge, starmap(partial, spans()))
    return o, m + torch.log(l)
