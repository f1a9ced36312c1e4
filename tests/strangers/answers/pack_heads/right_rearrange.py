# style: einops-like comment, unflatten + permute + reshape
from torch import Tensor


def pack_heads(q: Tensor, kv_heads: int) -> Tensor:
    # rearrange(q, "b (kv g) n d -> b kv (n g) d")
    b, _, n, d = q.shape
    return q.unflatten(1, (kv_heads, -1)).permute(0, 1, 3, 2, 4).reshape(b, kv_heads, -1, d)
