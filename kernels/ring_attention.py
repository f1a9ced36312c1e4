"""Attention of a sequence that lies on W ranks, each with a shard of queries, keys and values.

Each function runs on all ranks at once, and exchanges messages by `torch.distributed`, whose
process group is there. Left out: batches, dropout, and links that are not alike.
"""

import torch
import torch.distributed as dist
from torch import Tensor

from kernels.ring import attend, block_gradients, merge, pass_on


def ring_attention(
    q: Tensor, k: Tensor, v: Tensor, lengths: tuple[int, ...]
) -> tuple[Tensor, Tensor]:
    """This rank's part of attention over all ranks' keys, while the keys go round the ring.

    Runs on W ranks; W = 1 is one of the sizes. In step s the rank works on the block of rank
    (rank - s) mod W; meanwhile that block goes on to rank + 1, and the next one comes from
    rank - 1, both mod W, and never the other way round. Blocks are as long as they are: W need
    not divide N.

    q: (H, N_r, d), k: (H_kv, N_r, d), v: (H_kv, N_r, d_v) float32, H a multiple of H_kv; the
    tokens of rank r, with any strides; only contiguous tensors can be sent.
    lengths: N_r for each rank r, the same on all ranks; some may be 0, and empty
    messages may be left out.
    Returns o (H, N_r, d_v) and the log-sum-exp L (H, N_r), same dtype; no query is masked.
    Memory: what three blocks and the queries take, and a few times the scores and results of
    one block; never all keys, nor all blocks' results.
    Messages: each block goes from rank to rank W - 1 times, K and V in one message or in two.
    Time: a block is on its way while the one before it is computed with, so that no rank waits;
    no barrier.
    """
    rank, size = dist.get_rank(), dist.get_world_size()
    o, L = q.new_zeros(*q.shape[:2], v.shape[2]), q.new_full(q.shape[:2], -torch.inf)
    ### BEGIN SOLUTION
    k, v = k.contiguous(), v.contiguous()
    for step in range(size):
        requests: list[dist.Work] = []
        if step < size - 1:
            coming = lengths[(rank - step - 1) % size]
            next_k = k.new_empty(k.shape[0], coming, k.shape[2])
            next_v = v.new_empty(v.shape[0], coming, v.shape[2])
            asked = [
                dist.P2POp(dist.isend, k, (rank + 1) % size),
                dist.P2POp(dist.isend, v, (rank + 1) % size),
                dist.P2POp(dist.irecv, next_k, (rank - 1) % size),
                dist.P2POp(dist.irecv, next_v, (rank - 1) % size),
            ]
            requests = dist.batch_isend_irecv(asked)
        o, L = merge(o, L, *attend(q, k, v))
        for request in requests:
            request.wait()
        if requests:
            k, v = next_k, next_v
    ### END SOLUTION
    return o, L


def token_order(n: int, size: int, layout: str) -> tuple[Tensor, Tensor, Tensor]:
    """Which of n >= 1 tokens lie on which of `size` ranks, and the way back.

    layout "stripe": token i lies on rank i mod W. layout "zigzag": the sequence is cut into 2 W
    chunks, and rank r holds chunk r and, after it, chunk 2 W - 1 - r; chunk c holds the tokens
    from n c // (2 W) up to, but not including, n (c + 1) // (2 W).
    Returns, all int64,
    order (n,): the tokens rank by rank, each rank's in the order of the sequence;
    starts (W + 1,): rank r holds order[starts[r]:starts[r + 1]], which may be no token;
    inverse (n,): where each token stands in `order`, so that x[order][inverse] is x.
    Memory: O(n + W) numbers.
    """
    ### BEGIN SOLUTION
    if layout == "stripe":
        tokens = torch.arange(n)
        held = [tokens[rank::size] for rank in range(size)]
    else:
        ends = [n * c // (2 * size) for c in range(2 * size + 1)]
        chunks = [torch.arange(ends[c], ends[c + 1]) for c in range(2 * size)]
        held = [torch.cat([chunks[rank], chunks[-1 - rank]]) for rank in range(size)]
    order = torch.cat(held)
    starts = torch.tensor([0, *map(len, held)]).cumsum(0)
    return order, starts, torch.argsort(order)
    ### END SOLUTION


def causal_ring(
    q: Tensor, k: Tensor, v: Tensor, positions: tuple[Tensor, ...]
) -> tuple[Tensor, Tensor]:
    """This rank's part of causal attention; in zigzag all ranks have equal work in every step.

    As `ring_attention`, but a query sees only keys at its own position and before. A rank's
    tokens are two chunks, those of tensor_split(2), and a chunk of queries meets a chunk of
    keys only if one of the queries sees one of the keys.

    q: (H, N_r, d), k: (H_kv, N_r, d), v: (H_kv, N_r, d_v) float32, with any strides, H a
    multiple of H_kv.
    positions: for each rank r the positions (N_r,) int64 of its tokens, rising, the same on all
    ranks; every position lies on one rank.
    Returns o (H, N_r, d_v) and the log-sum-exp L (H, N_r), same dtype.
    Memory: as there. Messages and time as there, too: no hidden pair of chunks is computed, and
    no block is waited for that could have come before.
    """
    rank, size = dist.get_rank(), dist.get_world_size()
    k, v = k.contiguous(), v.contiguous()
    queries = list(zip(q.tensor_split(2, dim=1), positions[rank].tensor_split(2), strict=True))
    outputs = [x.new_zeros(*x.shape[:2], v.shape[2]) for x, _ in queries]
    sums = [x.new_full(x.shape[:2], -torch.inf) for x, _ in queries]
    for step in range(size):
        ### BEGIN SOLUTION
        theirs = positions[(rank - step) % size]
        following = len(positions[(rank - step - 1) % size])
        requests, coming = pass_on([k, v], following) if step < size - 1 else ([], [k, v])
        chunks = k.tensor_split(2, dim=1), v.tensor_split(2, dim=1), theirs.tensor_split(2)
        for k_chunk, v_chunk, at in zip(*chunks, strict=True):
            for i, (q_chunk, own) in enumerate(queries):
                if len(own) and len(at) and at[0] <= own[-1]:
                    seen = None if at[-1] <= own[0] else at <= own[:, None]
                    block = attend(q_chunk, k_chunk, v_chunk, seen)
                    outputs[i], sums[i] = merge(outputs[i], sums[i], *block)
        for request in requests:
            request.wait()
        k, v = coming
        ### END SOLUTION
    return torch.cat(outputs, dim=1), torch.cat(sums, dim=1)


def ring_gradients(
    q: Tensor, k: Tensor, v: Tensor, o: Tensor, L: Tensor, do: Tensor, lengths: tuple[int, ...]
) -> tuple[Tensor, Tensor, Tensor]:
    """The gradients of `ring_attention` for this rank's queries, keys and values.

    A block goes round the ring with the gradients that it has so far: every rank adds its
    queries' part to them. After W steps they are at home.

    q: (H, N_r, d), k: (H_kv, N_r, d), v: (H_kv, N_r, d_v), o, do: (H, N_r, d_v) float32: what
    `ring_attention` was given and gave, and the gradient of o; L: (H, N_r), its log-sum-exp;
    all with any strides.
    lengths: N_r for each rank r, the same on all ranks; some may be 0.
    Returns dq (H, N_r, d), dk (H_kv, N_r, d), dv (H_kv, N_r, d_v), same dtype.
    Memory: a few blocks, never all keys. Messages: K and V W - 1 times, dK and dV W times, each
    pair in one message or two; none where W = 1, which is one of the sizes; no barrier. Time:
    all but the last gradients travel while the rank multiplies.
    Formula: dq, dk, dv = `kernels.ring.block_gradients(q, k, v, L, do, delta)` for a block's k
    and v; delta: the rows' sums of do * o.
    """
    rank, size = dist.get_rank(), dist.get_world_size()
    k, v = k.contiguous(), v.contiguous()
    delta = (do * o).sum(dim=-1)
    dq, gradients = torch.zeros_like(q), [torch.zeros_like(k), torch.zeros_like(v)]
    ### BEGIN SOLUTION
    arriving: list[dist.Work] = []
    for step in range(size):
        following = lengths[(rank - step - 1) % size]
        requests, block = pass_on([k, v], following) if step < size - 1 else ([], [k, v])
        dq_part, *parts = block_gradients(q, k, v, L, do, delta)
        dq = dq + dq_part
        for request in arriving:
            request.wait()
        summed = [gradient + part for gradient, part in zip(gradients, parts, strict=True)]
        arriving, gradients = pass_on(summed, following)
        for request in requests:
            request.wait()
        k, v = block
    for request in arriving:
        request.wait()
    ### END SOLUTION
    return dq, gradients[0], gradients[1]
