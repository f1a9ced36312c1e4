# Right within its contract: the last tile of keys slides back to be full, and its overlap is scored again and masked
import torch
from torch import Tensor


class CacheFull(Exception):
    """More tokens were handed to a cache than it has room for."""


def cached_attention(
    q: Tensor, k_cache: Tensor, v_cache: Tensor, length: int, scale: float | None = None
) -> Tensor:
    n, d = q.shape[2:]
    scale = d**-0.5 if scale is None else scale
    batch, heads = q.shape[:2]
    tile = max(1, (length + 4) // 5)
    rows = torch.arange(length - n, length)[:, None]
    m = q.new_full((batch, heads, n, 1), -torch.inf)
    l = q.new_zeros(batch, heads, n, 1)
    o = q.new_zeros(batch, heads, n, v_cache.shape[3])
    done = 0
    while done < length:
        begin = max(0, min(done, length - tile))
        end = min(begin + tile, length)
        columns = torch.arange(begin, end)
        s = scale * (q @ k_cache[:, :, begin:end].transpose(2, 3))
        s.masked_fill_((columns > rows) | (columns < done), -torch.inf)
        new = torch.maximum(m, s.amax(dim=-1, keepdim=True))
        shift = new.masked_fill(new == -torch.inf, 0.0)
        p, a = torch.exp(s - shift), torch.exp(m - shift)
        l = a * l + p.sum(dim=-1, keepdim=True)
        o = a * o + p @ v_cache[:, :, begin:end]
        m, done = new, end
    return o / l
