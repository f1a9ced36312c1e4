# Right: every g-th row is one head of each group; the g slices are stacked behind the KV-head axis and merged with it.
def unpack_heads(rows: Tensor, heads: int) -> Tensor:
    kv_heads = rows.shape[1]
    g = heads // kv_heads
    each = [rows[:, :, r::g, :] for r in range(g)]  # (B, H_kv, N_q, d) per head of the group
    return torch.stack(each, dim=2).flatten(1, 2)
