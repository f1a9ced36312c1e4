# recursion by halves over the order (a merge tree), slice objects, keyword calls
import torch


def attention_by_blocks(q, k, v, order, tile_n, causal=False, scale=None):
    n_q, n_k = len(q), len(k)

    def seen(at: slice):
        if not causal:
            return None
        keys = torch.arange(*at.indices(n_k))
        return keys.unsqueeze(0) <= torch.arange(n_q).unsqueeze(1) + (n_k - n_q)

    def one(b):
        at = slice(b * tile_n, (b + 1) * tile_n)
        return attention_block(q=q, k=k[at], v=v[at], mask=seen(at), scale=scale)

    def some(numbers):
        if len(numbers) == 0:
            return q.new_zeros(n_q, v.shape[1]), q.new_full((n_q,), -torch.inf), q.new_zeros(n_q)
        if len(numbers) == 1:
            return one(numbers[0])
        return merge_blocks(*some(numbers[:-1]), *one(numbers[-1]))

    o, m, l = some(list(order))
    return o, m + torch.log(l)
