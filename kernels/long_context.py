"""Attention over a sequence longer than the memory: chunks, windows, a ring of slots, sinks.

One head at a time. Token number p, counted from 0, stands at position p. Left out: batches and
heads (they are independent), positional encodings, and skipping keys that a chunk's mask hides.
"""

import torch
from torch import Tensor


def chunked_prefill(
    q: Tensor, k: Tensor, v: Tensor, chunk: int, scale: float | None = None
) -> Tensor:
    """Causal attention of a prompt, `chunk` queries at a time.

    q: (N_q, d), k: (N_k, d), v: (N_k, d_v) float32, N_q <= N_k: the queries are the last N_q of
    the N_k tokens, those before them are cached already. N_q = 0: there is nothing left to do.
    chunk: queries per chunk; the last chunk is what is left.
    scale: factor of the scores, of any sign or 0; 1/sqrt(d) if None.
    Returns o (N_q, d_v), same dtype: query i, at position i + N_k - N_q, sees every key up to
    its own. The same for every chunk size.
    Memory: beside the output a few matrices of chunk x N_k numbers. Torch runs at most 40
    operations for each chunk of queries, and as many for each chunk of keys that it meets.
    """
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    ### BEGIN SOLUTION
    for i in range(0, n_q, chunk):
        stop = min(i + chunk, n_q)
        query = torch.arange(i, stop)[:, None] + n_k - n_q
        known = stop + n_k - n_q  # the cache as it is once this chunk is in it
        s = scale * (q[i:stop] @ k[:known].T)
        s = s.masked_fill(torch.arange(known) > query, -torch.inf)
        o[i:stop] = torch.softmax(s, dim=-1) @ v[:known]
    ### END SOLUTION
    return o


def window_attention(
    q: Tensor, k: Tensor, v: Tensor, window: int, scale: float | None = None
) -> Tensor:
    """Causal attention in which a token sees the last `window` tokens, itself included.

    q: (N_q, d), k: (N_k, d), v: (N_k, d_v) float32, N_q <= N_k: the queries are the last N_q of
    the N_k tokens.
    window: at least 1; from N_k on it hides nothing.
    scale: factor of the scores, of any sign or 0; 1/sqrt(d) if None.
    Returns o (N_q, d_v), same dtype: the query at position p sees the keys at positions
    max(0, p - window + 1) to p. Beltagy et al. (Longformer, 2020), causal.
    """
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    ### BEGIN SOLUTION
    query, key = torch.arange(n_k - n_q, n_k)[:, None], torch.arange(n_k)
    seen = (key <= query) & (key > query - window)
    s = (scale * (q @ k.T)).masked_fill(~seen, -torch.inf)
    return torch.softmax(s, dim=-1) @ v
    ### END SOLUTION


class RollingCache:
    """The last tokens of one head in a ring: token p lies in slot p % slots.

    slots: tokens that fit. window: how many tokens a token sees, itself included.
    d, d_v: widths of a key and of a value; all numbers are float32.
    append(k, v) takes tokens, attend(q) answers the newest ones, positions() says which token
    each slot holds. Returns nothing, (n, d_v) and (slots,) respectively.
    Memory: slots (d + d_v) numbers, however long the sequence; between two calls nothing more.
    """

    def __init__(self, slots: int, window: int, d: int, d_v: int):
        self.window = window
        self.k = torch.zeros(slots, d)
        self.v = torch.zeros(slots, d_v)
        self.length = 0  # tokens that have come; the next one goes to slot length % slots

    def append(self, k: Tensor, v: Tensor) -> None:
        """Take n more tokens, k (n, d) and v (n, d_v), each in place of the one `slots` before.

        n may be 0. It may be larger than the number of slots: then only the last ones stay.
        """
        ### BEGIN SOLUTION
        slots, n = len(self.k), len(k)
        skipped = max(n - slots, 0)
        slot = torch.arange(self.length + skipped, self.length + n) % slots
        self.k[slot], self.v[slot] = k[skipped:], v[skipped:]
        self.length += n
        ### END SOLUTION

    def positions(self) -> Tensor:
        """The position of the token in each slot, -1 where there is none: (slots,) int64."""
        ### BEGIN SOLUTION
        slot, newest = torch.arange(len(self.k)), self.length - 1
        age = (newest - slot) % len(self.k)
        return (newest - age).clamp(min=-1)
        ### END SOLUTION

    def attend(self, q: Tensor) -> Tensor:
        """Attention of the newest n >= 1 tokens, q (n, d), each to `window` up to itself.

        Returns o (n, d_v); scores are scaled by 1/sqrt(d).
        Raises LookupError if fewer than n tokens were appended, or if the first of the n would
        see a key that a newer one has replaced.
        """
        ### BEGIN SOLUTION
        first = self.length - len(q)
        oldest = max(first - self.window + 1, 0)
        if first < 0 or oldest < self.length - len(self.k):
            raise LookupError("a key that is needed is not in the cache")
        query, key = torch.arange(first, self.length)[:, None], self.positions()
        seen = (key >= 0) & (key <= query) & (key > query - self.window)
        s = (q.shape[-1] ** -0.5 * (q @ self.k.T)).masked_fill(~seen, -torch.inf)
        return torch.softmax(s, dim=-1) @ self.v
        ### END SOLUTION


def sink_attention(
    q: Tensor, k: Tensor, v: Tensor, window: int, sinks: int, scale: float | None = None
) -> Tensor:
    """Causal attention to the last `window` tokens and to the first `sinks` ones.

    q: (N_q, d), k: (N_k, d), v: (N_k, d_v) float32, N_q <= N_k: the queries are the last N_q of
    the N_k tokens.
    window: at least 1, the token itself included. sinks: 0 or more; with 0 it is
    `window_attention`.
    scale: factor of the scores, of any sign or 0; 1/sqrt(d) if None.
    Returns o (N_q, d_v), same dtype: the query at position p sees the keys at positions j <= p
    with j > p - window or j < sinks, each once. Xiao et al. (2024).
    """
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    ### BEGIN SOLUTION from window_attention
    query, key = torch.arange(n_k - n_q, n_k)[:, None], torch.arange(n_k)
    seen = (key <= query) & ((key > query - window) | (key < sinks))
    s = (scale * (q @ k.T)).masked_fill(~seen, -torch.inf)
    return torch.softmax(s, dim=-1) @ v
    ### END SOLUTION


def long_prefill(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    chunk: int,
    window: int,
    sinks: int = 0,
    scale: float | None = None,
) -> Tensor:
    """`sink_attention`, `chunk` queries at a time, each chunk with the keys that it can see.

    q: (N_q, d), k: (N_k, d), v: (N_k, d_v) float32, N_q <= N_k: the queries are the last N_q of
    the N_k tokens.
    chunk: queries per chunk; the last chunk is what is left.
    window, sinks, scale: as in `sink_attention`.
    Returns o (N_q, d_v), same dtype.
    Memory: a chunk sees at most M = sinks + window + chunk - 1 keys. Beside the output: a few
    matrices of chunk x M numbers and a copy of M keys and values; nothing grows with N_k.
    Operations: as in `chunked_prefill`.
    """
    n_q, n_k = q.shape[0], k.shape[0]
    o = q.new_zeros(n_q, v.shape[1])
    ### BEGIN SOLUTION
    for i in range(0, n_q, chunk):
        stop = min(i + chunk, n_q)
        first, known = i + n_k - n_q, stop + n_k - n_q
        head, start = min(sinks, known), max(first - window + 1, sinks)
        keys = torch.cat([k[:head], k[start:known]])
        values = torch.cat([v[:head], v[start:known]])
        o[i:stop] = sink_attention(q[i:stop], keys, values, window, sinks, scale)
    ### END SOLUTION
    return o
