# Wrong: the new token of step t goes to rank t mod W for all sequences, whatever their lengths.
# Breaks: "Token i of a sequence, from 0 on, lies on rank i mod W, in row i // W of its cache".
import torch
import torch.distributed as dist
from torch import Tensor


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
    Forbidden: scaled_dot_product, barrier. It stays within torch and Python, without tolist
    of floating-point numbers. Arguments stay as they are, and results are new memory.
    """
    rank, size = dist.get_rank(), dist.get_world_size()
    k, v = k.clone(), v.clone()  # yours to write to
    outputs = []
    for t in range(len(q)):
        held = (lengths - rank + size - 1) // size  # tokens of the prompts that lie here
        if t % size == rank:
            extra = t // size
            for b in range(len(lengths)):
                row = int(held[b]) + extra
                k[b, :, row], v[b, :, row] = k_new[t, b], v_new[t, b]
        here = held + (t - rank + size) // size
        outputs.append(merge_by_tree(*decode_shard(q[t], k, v, here))[0])
    return torch.stack(outputs)
