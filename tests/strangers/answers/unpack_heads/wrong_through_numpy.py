# Wrong: goes through NumPy, which has no bfloat16: a legal bfloat16 input raises TypeError; float32, float16 and float64 are right.
def unpack_heads(rows: Tensor, heads: int) -> Tensor:
    x = rows.detach().cpu().numpy()
    batch, kv_heads, packed, d = x.shape
    g = heads // kv_heads
    x = x.reshape(batch, kv_heads, packed // g, g, d)
    x = x.swapaxes(2, 3).reshape(batch, heads, packed // g, d)
    return torch.from_numpy(x.copy()).to(rows.device)
