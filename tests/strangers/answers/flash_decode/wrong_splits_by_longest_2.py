# Wrong: goes by the longest sequence at the moment instead of the room in the cache, which also asks the GPU for a number.
# Breaks: "at most one for every whole 256 keys that the cache has room for".
import torch
from torch import Tensor


def flash_decode(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    lengths: Tensor,
    scale: float | None = None,
    slots: int = 264,
    tile_n: int = 64,
) -> tuple[Tensor, Tensor]:
    """Attention of one new query per sequence with its cache, by two kernels.

    q, k, v, lengths, scale, tile_n: as for `split_decode`; q may have any strides.
    slots: programs that the GPU runs at once; two on each of an H200's 132 multiprocessors.
    Returns o (B, H, d), in the dtype of q, and L (B, H) float32, natural logarithm; a sequence
    without keys gives 0 and -inf. Sums: as in `split_decode`, and in float32 when merged.
    There are as many splits as `number_of_splits` says for B * H_kv programs, but at most 128,
    and at most one for every whole 256 keys that the cache has room for (one, if it has less).
    Memory: the outputs, the splits' o and L in float32, and a copy of q as there. Each kernel
    is launched once: a program of the first has one split of a KV head, one of the second
    merges one query head.
    Beside launching its kernels this function may only allocate and take views, clone. It
    calls number_of_splits and split_decode. Arguments stay as they are, and results are new
    memory.
    """
    batch, heads, d = q.shape
    kv_heads, n = k.shape[1], k.shape[2]
    longest = int(lengths.max())
    most = max(1, min(128, longest // 256))
    splits = number_of_splits(batch * kv_heads, slots, most)
    o_parts, L_parts = split_decode(q, k, v, lengths, splits, scale, tile_n)
    o = torch.empty((batch, heads, d), dtype=q.dtype, device=q.device)
    L = torch.empty((batch, heads), dtype=torch.float32, device=q.device)
    combine_splits_kernel[(batch * heads,)](
        o_parts, L_parts, o, L, splits, SPLITS=triton.next_power_of_2(splits), D=d
    )
    return o, L
