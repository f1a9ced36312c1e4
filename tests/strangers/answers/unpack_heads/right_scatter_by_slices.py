# every g-th row from j on is head j of the group: stacked slices, then two axes merged
def unpack_heads(rows: Tensor, heads: int) -> Tensor:
    """Back from packed rows to heads: the inverse of `pack_heads`.

    rows: (B, H_kv, N_q g, d) of any float dtype and strides; heads: the number H = g H_kv of
    query heads.
    Returns o (B, H, N_q, d), same dtype: position i of head h is row i g + h % g of KV head
    h // g. May be a view.
    Arguments stay as they are.
    """
    kv_heads = rows.shape[1]
    g = heads // kv_heads
    by_head = [rows[:, :, j::g] for j in range(g)]  # each (B, H_kv, N_q, d)
    return torch.stack(by_head, dim=2).flatten(1, 2)
