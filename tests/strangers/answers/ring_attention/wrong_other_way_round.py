# Wrong: sends to rank - 1 and receives from rank + 1.
# Breaks: "that block goes on to rank + 1, and the next one comes from rank - 1, both mod W, and never the other way round."
import torch
import torch.distributed as dist
from torch import Tensor


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
    Forbidden: scaled_dot_product, barrier. It stays within torch and Python, without tolist
    of floating-point numbers. Arguments stay as they are, and results are new memory.
    """
    rank, size = dist.get_rank(), dist.get_world_size()
    o, L = q.new_zeros(*q.shape[:2], v.shape[2]), q.new_full(q.shape[:2], -torch.inf)
    k, v = k.contiguous(), v.contiguous()
    for step in range(size):
        requests = []
        if step < size - 1:
            n = lengths[(rank + step + 1) % size]
            nk, nv = k.new_empty(k.shape[0], n, k.shape[2]), v.new_empty(v.shape[0], n, v.shape[2])
            to, source = (rank - 1) % size, (rank + 1) % size
            requests = dist.batch_isend_irecv(
                [dist.P2POp(dist.isend, x, to) for x in (k, v)]
                + [dist.P2POp(dist.irecv, x, source) for x in (nk, nv)]
            )
        if k.shape[1]:
            o, L = merge(o, L, *attend(q, k, v))
        for request in requests:
            request.wait()
        if requests:
            k, v = nk, nv
    return o, L
