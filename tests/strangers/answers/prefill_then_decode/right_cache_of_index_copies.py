# right: passes in pairs of their ends, over a cache of its own that writes by index_copy_
class KVCache:
    def __init__(self, batch: int, heads: int, capacity: int, d: int):
        self.k = torch.zeros(batch, heads, capacity, d)
        self.v = torch.zeros(batch, heads, capacity, d)
        self.length = 0

    @property
    def room(self) -> int:
        return self.k.shape[2] - self.length

    def append(self, k: Tensor, v: Tensor) -> None:
        n = k.shape[2]
        if n > self.room:
            raise CacheFull(f"{n} tokens, room for {self.room}")
        slots = torch.arange(self.length, self.length + n)
        self.k.index_copy_(2, slots, k)
        self.v.index_copy_(2, slots, v)
        self.length += n

    def contents(self) -> tuple[Tensor, Tensor]:
        return self.k[..., : self.length, :], self.v[..., : self.length, :]
# a list of borders walked pairwise, a nested function for one pass, result written into a fresh tensor
def prefill_then_decode(q: Tensor, k: Tensor, v: Tensor, prompt: int) -> Tensor:
    """Causal attention over a sequence read through a cache: its prompt, then token by token.

    Made of `KVCache`, with room for the N tokens, and `cached_attention`.

    q, k, v: (B, H, N, d) float32, of all N tokens.
    prompt: tokens that are read in one pass, 1 <= prompt <= N; each other token has a
    pass of its own. A pass appends its tokens to the cache, and no others.
    Returns o (B, H, N, d), same dtype: what one pass over all N tokens gives.
    Memory: the cache, o, and the scores of one pass, O(B H (N d + prompt^2 + N)) numbers.
    Forbidden: scaled_dot_product. It stays within torch and Python. It calls KVCache and
    KVCache.append and cached_attention. Arguments stay as they are, and results are new
    memory.
    """
    batch, heads, n, d = k.shape
    from itertools import pairwise

    cache = KVCache(batch, heads, capacity=n, d=d)
    o = torch.empty(q.shape, dtype=q.dtype)

    def one_pass(begin, end):
        tokens = slice(begin, end)
        cache.append(k[:, :, tokens], v[:, :, tokens])
        o[:, :, tokens] = cached_attention(q[:, :, tokens], cache.k, cache.v, length=end)

    for begin, end in pairwise([0, *range(prompt, n + 1)]):
        one_pass(begin, end)
    return o
