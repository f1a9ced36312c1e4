# strided slices: head j of a group is every group-th row
def unpack_heads(rows: Tensor, heads: int) -> Tensor:
    batch, kv_heads, packed, d = rows.shape
    group = heads // kv_heads
    members = [rows[:, :, j::group] for j in range(group)]  # each (B, H_kv, N_q, d)
    return torch.stack(members, dim=2).view(batch, heads, packed // group, d)
