"""Decoding with a cache that lies on W ranks: attention over each one's keys, merged by a tree.

The tree of merges is that of Shyam and others, *Tree Attention* (2024). Functions that
exchange messages run on all ranks at once, by `torch.distributed`, whose process group is
there. Left out: several new tokens at once, paged caches, and links that are not alike.
"""

import torch
import torch.distributed as dist
from torch import Tensor

from kernels.ring import merge


def decode_shard(
    q: Tensor, k: Tensor, v: Tensor, lengths: Tensor, scale: float | None = None
) -> tuple[Tensor, Tensor]:
    """Attention of one new token of each sequence with the keys that one rank holds.

    q: (B, H, d), k: (B, H_kv, N, d), v: (B, H_kv, N, d_v) float32 or float16, H a multiple of
    H_kv; query head h reads KV head h // (H / H_kv). d_v may differ from d.
    lengths: (B,) int64, from 0 to N: how many keys of each sequence lie here. What lies beyond
    them means nothing and may be NaN.
    scale: factor of the scores, of any sign or 0; 1/sqrt(d) if None.
    Returns o (B, H, d_v) and the log-sum-exp L (B, H), both float32, and summed in float32;
    0 and -inf for a sequence that has no key here.
    Memory: K and V in float32 at most twice (cast, and then masked, is twice), and a few times
    the scores; K and V are not copied for each query head. Each score is computed once, an
    eighth of them twice at the most, and none with another KV head.

        S = scale * q k^T        L = log sum_j exp(S_j)        o = sum_j exp(S_j - L) v_j
    """
    batch, heads, d = q.shape
    kv_heads, d_v = k.shape[1], v.shape[3]
    o = torch.zeros(batch, heads, d_v, device=q.device)
    L = torch.full((batch, heads), -torch.inf, device=q.device)
    ### BEGIN SOLUTION
    scale = d**-0.5 if scale is None else scale
    for b, n in enumerate(lengths.tolist()):
        rows = q[b].reshape(kv_heads, heads // kv_heads, d).float()
        s = rows @ k[b, :, :n].float().mT * scale
        sums = torch.logsumexp(s, dim=-1)
        o[b] = (torch.exp(s - sums[..., None]) @ v[b, :, :n].float()).reshape(heads, d_v)
        L[b] = sums.reshape(heads)
    ### END SOLUTION
    return o, L


def merge_by_all_reduce(o: Tensor, L: Tensor) -> tuple[Tensor, Tensor]:
    """Attention over all ranks' keys, by two calls of `all_reduce`.

    Runs on W ranks; W = 1 is one of the sizes. The first call finds the largest log-sum-exp (a
    number next to it will do); the second sums numerators and denominators together, in one
    tensor.

    o: (B, H, d_v), L: (B, H) float32, with any strides: attention over this rank's keys; 0 and
    -inf where it has none.
    Returns o (B, H, d_v), L (B, H) over all ranks' keys, in new memory (views of what was sent
    will do), same dtype, bit for bit the same on every rank; 0 and -inf for a sequence of which
    no rank has a key.
    Messages: two, of B H and of B H (d_v + 1) numbers, of which W = 1 needs none, and no
    barrier. Only contiguous tensors can be sent.

        M = max_r L_r        w_r = e^(L_r - M)
        o = sum_r w_r o_r / sum_r w_r        L = M + log sum_r w_r
    """
    ### BEGIN SOLUTION
    top = L.clone(memory_format=torch.contiguous_format)
    dist.all_reduce(top, op=dist.ReduceOp.MAX)
    shift = torch.where(torch.isneginf(top), 0, top)
    weights = torch.exp(L - shift)[..., None]
    sums = torch.cat([weights * o, weights], dim=-1)
    dist.all_reduce(sums)
    numerator, denominator = sums[..., :-1], sums[..., -1]
    whole = torch.where(denominator == 0, 1, denominator)
    return numerator / whole[..., None], shift + torch.log(denominator)
    ### END SOLUTION


def merge_by_tree(o: Tensor, L: Tensor) -> tuple[Tensor, Tensor]:
    """Attention over all ranks' keys, by messages between pairs of ranks.

    Runs on W ranks, W of any size, 1 included. Let P be the largest power of two that is not
    larger than W. (Other pairs will do, in as many rounds.)
    Rank r >= P sends what it has to rank r - P and gets the result from there at the end.
    Meanwhile ranks 0 to P - 1 merge: in round i = 0, 1, ..., log2(P) - 1 rank r and rank
    r XOR 2^i, whose numbers differ in binary digit i, exchange what they have, and both
    merge it.

    o: (B, H, d_v), L: (B, H) float32, with any strides: attention over this rank's keys; 0 and
    -inf where it has none.
    Returns o (B, H, d_v), L (B, H) over all ranks' keys, in new memory (views of what was sent
    will do), same dtype, bit for bit the same on every rank; 0 and -inf for a sequence of which
    no rank has a key.
    Messages: one for each round, o and L in one tensor. No collective, nor a barrier.
    Time: log2(P) rounds of messages, and two more if W is not P; both messages of an exchange
    are on their way at once.
    """
    rank, size = dist.get_rank(), dist.get_world_size()
    ### BEGIN SOLUTION
    power = 2 ** (size.bit_length() - 1)
    if rank >= power:
        whole = torch.cat([o, L[..., None]], dim=-1)
        dist.send(whole, rank - power)
        dist.recv(whole, rank - power)
        return whole[..., :-1], whole[..., -1]
    theirs = o.new_empty(*L.shape, o.shape[-1] + 1)
    if rank + power < size:
        dist.recv(theirs, rank + power)
        o, L = merge(o, L, theirs[..., :-1], theirs[..., -1])
    for i in range(power.bit_length() - 1):
        mine, partner = torch.cat([o, L[..., None]], dim=-1), rank ^ 2**i
        both = [dist.P2POp(dist.isend, mine, partner), dist.P2POp(dist.irecv, theirs, partner)]
        for request in dist.batch_isend_irecv(both):
            request.wait()
        o, L = merge(o, L, theirs[..., :-1], theirs[..., -1])
    if rank + power < size:
        dist.send(torch.cat([o, L[..., None]], dim=-1), rank + power)
    ### END SOLUTION
    return o.clone(), L.clone()


def decode_messages(
    way: str, size: int, n: int, heads: int, kv_heads: int, d: int, width: int
) -> tuple[int, int]:
    """Rounds of messages that decode one token, and all bytes of the rank that sends most.

    way "ring": keys and values go round, as in ring attention, and every rank meets them all.
    way "tree": `merge_by_tree`.
    size: ranks, W, at most 2^30. n: cached tokens of one sequence, N, a multiple of W.
    heads, kv_heads: H and H_kv, each of d numbers. width: bytes of a number in the cache; those
    of o and L, which the tree sends, have 4. All are whole numbers from 1 on.
    Returns rounds and sent, whole numbers (int) below 2^53; (0, 0) on one rank.
    """
    ### BEGIN SOLUTION
    if way == "ring":
        rounds = size - 1
        return rounds, rounds * (n // size) * kv_heads * 2 * d * width
    levels = size.bit_length() - 1
    folds = size > 2**levels
    return levels + 2 * folds, (levels + folds) * heads * (d + 1) * 4
    ### END SOLUTION


def decode_tokens(
    q: Tensor, k: Tensor, v: Tensor, k_new: Tensor, v_new: Tensor, lengths: Tensor
) -> Tensor:
    """T steps of decoding: in each, every sequence gets one token, on the rank that owns it.

    Runs on W ranks. Token i of a sequence, from 0 on, lies on rank i mod W, in row i // W of
    its cache: in stripes, so that ranks have equal work whatever a sequence's length.

    k: (B, H_kv, C, d), v: (B, H_kv, C, d_v) float32: this rank's tokens of the B prompts, each
    sequence's in its first rows; there is room for its own of those to come, and perhaps for no
    more. What lies beyond the tokens means nothing and may be NaN. Both stay as they are.
    lengths: (B,) int64, the prompts' lengths over all ranks; some may be 0.
    q: (T, B, H, d), k_new: (T, B, H_kv, d), v_new: (T, B, H_kv, d_v) float32, H a multiple of
    H_kv: the new tokens, the same on all ranks. Query t sees the prompt and new tokens 0 to t.
    Returns o (T, B, H, d_v), same dtype, bit for bit the same on every rank; the scale is
    1/sqrt(d). A step's o is there before anything of the next step is computed or sent, since
    in use the next token hangs on it; keys and values that are given may be written before.
    Messages and rounds: exactly those of T merges by a tree, whatever B and the lengths; no
    barrier.
    Time: a rank computes with its own tokens, all and no others. `decode_shard` and
    `merge_by_tree` are there, and need not be called.
    """
    rank, size = dist.get_rank(), dist.get_world_size()
    k, v = k.clone(), v.clone()  # yours to write to
    outputs = []
    for t in range(len(q)):
        ### BEGIN SOLUTION
        for b, n in enumerate(lengths.tolist()):
            row, owner = divmod(n + t, size)
            if owner == rank:
                k[b, :, row], v[b, :, row] = k_new[t, b], v_new[t, b]
        here = (lengths + t + size - rank) // size
        o, _ = merge_by_tree(*decode_shard(q[t], k, v, here))
        outputs.append(o)
        ### END SOLUTION
    return torch.stack(outputs)
