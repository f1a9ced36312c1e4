"""A cache of keys and values: what it saves, how it is read and written, what it costs.

Left out: sequences of different lengths in one batch, heads that share keys (gqa.py), caches
that forget (long_context.py) or are paged (paged_cache.py).
"""

import torch
from torch import Tensor


class CacheFull(Exception):
    """More tokens were handed to a cache than it has room for."""


def generation_flops(prompt: int, new: int, width: int) -> tuple[int, int]:
    """What one attention layer computes while a model generates, without a cache and with one.

    prompt: tokens given, at least 1. new: tokens generated, at least 1; the first one comes out
    of the pass over the prompt, and the last one is never read. width: D, all heads together.
    Returns two whole numbers of operations, exact below 2^63: where every pass reads the whole
    sequence again, and where a pass reads only the tokens that no pass has read yet.

    The token at position t (from 1) costs 8 D^2 + 4 t D: four products of a row with a (D, D)
    matrix (query, key, value, output), t scores of width D, and t values of width D added up.
    """
    ### BEGIN SOLUTION
    lengths = range(prompt, prompt + new)
    passes = [8 * n * width**2 + 2 * n * (n + 1) * width for n in lengths]
    return sum(passes), passes[-1]
    ### END SOLUTION


def cached_attention(
    q: Tensor, k_cache: Tensor, v_cache: Tensor, length: int, scale: float | None = None
) -> Tensor:
    """Causal attention of the newest n tokens over a cache that already holds them.

    q: (B, H, n, d), k_cache: (B, H, capacity, d), v_cache: (B, H, capacity, d_v) float32.
    length: tokens in the cache, one at least, 0 <= n <= length <= capacity; what lies beyond is
    arbitrary.
    scale: factor of the scores, of any sign or 0; 1/sqrt(d) if None.
    Returns o (B, H, n, d_v), same dtype.
    Memory: O(B H n (length + d_v)) numbers; the cache is read where it lies. Each score is
    computed once, an eighth of them twice at the most.

    Query i is the token at position length - n + i (from 0). It sees the keys up to its own
    position, that one included.
    """
    n, d = q.shape[2:]
    scale = d**-0.5 if scale is None else scale
    ### BEGIN SOLUTION
    k, v = k_cache[:, :, :length], v_cache[:, :, :length]
    s = scale * (q @ k.transpose(2, 3))
    position = torch.arange(length - n, length)[:, None]
    s = s.masked_fill(torch.arange(length) > position, -torch.inf)
    return torch.softmax(s, dim=-1) @ v
    ### END SOLUTION


class KVCache:
    """Keys and values of all tokens read so far, for one layer, in two buffers of fixed size.

    batch, heads, capacity, d: sizes of the buffers k and v, (batch, heads, capacity, d) float32
    each. Their first `length` tokens are filled, and a token stays where it was stored.
    append(k, v) raises CacheFull where there is no room. What comes is written where it
    belongs, and what is there not again. Nothing is multiplied.
    Returns, where contents() is called, the keys and values of the filled slots.
    Memory: both buffers, between two calls no other, and at no moment more than one more as
    large as one of them, also while views of them are held.
    """

    def __init__(self, batch: int, heads: int, capacity: int, d: int):
        self.k = torch.zeros(batch, heads, capacity, d)
        self.v = torch.zeros(batch, heads, capacity, d)
        self.length = 0

    def append(self, k: Tensor, v: Tensor) -> None:
        """Store the keys and values of n more tokens after those that are there.

        k, v: (batch, heads, n, d) float32, n >= 0. Returns nothing.
        Raises CacheFull if fewer than n slots are left, and then has changed nothing.
        """
        ### BEGIN SOLUTION
        stop = self.length + k.shape[2]
        if stop > self.k.shape[2]:
            raise CacheFull(f"{stop} tokens do not fit into {self.k.shape[2]} slots")
        self.k[:, :, self.length : stop] = k
        self.v[:, :, self.length : stop] = v
        self.length = stop
        ### END SOLUTION

    def contents(self) -> tuple[Tensor, Tensor]:
        """All keys and all values so far.

        Returns two views of the buffers, (batch, heads, length, d) each; nothing is copied.
        """
        ### BEGIN SOLUTION
        return self.k[:, :, : self.length], self.v[:, :, : self.length]
        ### END SOLUTION


def prefill_then_decode(q: Tensor, k: Tensor, v: Tensor, prompt: int) -> Tensor:
    """Causal attention over a sequence read through a cache: its prompt, then token by token.

    Made of `KVCache`, with room for N tokens or some more, and of `cached_attention`, which
    reads that.

    q, k, v: (B, H, N, d) float32, of all N tokens.
    prompt: tokens that are read in one pass, 1 <= prompt <= N; each other token has a
    pass of its own. A pass appends its tokens to the cache, and no others.
    Returns o (B, H, N, d), same dtype: what one pass over all N tokens gives.
    Memory: the cache, o, and the scores of one pass, O(B H (N d + prompt^2 + N)) numbers; keys
    and values are copied into the cache, and not out of it again.
    Products: a pass multiplies its queries, once, with the keys and values of the tokens read.
    """
    batch, heads, n, d = k.shape
    ### BEGIN SOLUTION
    cache = KVCache(batch, heads, n, d)
    o = torch.empty_like(q)
    start, stop = 0, prompt
    while start < n:
        cache.append(k[:, :, start:stop], v[:, :, start:stop])
        o[:, :, start:stop] = cached_attention(
            q[:, :, start:stop], cache.k, cache.v, cache.length
        )
        start, stop = stop, stop + 1
    return o
    ### END SOLUTION


def cached_attention_cost(
    new: int, length: int, heads: int, kv_heads: int, d: int, itemsize: int
) -> tuple[int, int]:
    """What causal attention of the newest tokens over a cache costs, per sequence and layer.

    new: queries, the last tokens of the sequence: 1 in a decode step, `length` in a prefill.
    length: tokens in the cache, the new ones included. heads: query heads. kv_heads: heads of
    keys and values, each shared by heads / kv_heads query heads. d: width of a head.
    itemsize: bytes of one number.
    Q and O are (heads, new, d), K and V (kv_heads, length, d), all in main memory.
    Returns flops and bytes_moved, two ints: the products S = Q K^T and O = P V, as far as
    the mask lets them through; Q, K, V and O cross once each, S and P not at all.
    """
    pairs = new * length - new * (new - 1) // 2
    flops = 4 * heads * pairs * d
    bytes_moved = 2 * (heads * new + kv_heads * length) * d * itemsize
    return flops, bytes_moved
