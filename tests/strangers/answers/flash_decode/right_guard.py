# style: min/max clamp chain, early return of the merged splits, cast
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
    import torch
    import triton

    batch, heads, d = q.shape
    kv_heads, n = k.shape[1], k.shape[2]
    most = max(1, min(128, n // 256))
    splits = number_of_splits(batch * kv_heads, slots, most)
    o_parts, L_parts = split_decode(q, k, v, lengths, splits, scale=scale, tile_n=tile_n)
    o = torch.empty(batch, heads, d, dtype=q.dtype, device=q.device)
    L = torch.empty(batch, heads, dtype=torch.float32, device=q.device)
    combine_splits_kernel[(batch * heads,)](
        o_parts, L_parts, o, L, splits, SPLITS=triton.next_power_of_2(splits), D=d
    )
    return o, L
