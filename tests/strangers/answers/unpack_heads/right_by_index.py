# a table of (KV head, row) for each (head, position), and one indexing
def unpack_heads(rows: Tensor, heads: int) -> Tensor:
    """Back from packed rows to heads: the inverse of `pack_heads`.

    rows: (B, H_kv, N_q g, d) of any float dtype and strides; heads: the number H = g H_kv of
    query heads.
    Returns o (B, H, N_q, d), same dtype: position i of head h is row i g + h % g of KV head
    h // g. May be a view.
    Arguments stay as they are.
    """
    g = heads // rows.shape[1]
    h = torch.arange(heads, device=rows.device).unsqueeze(1)
    i = torch.arange(rows.shape[2] // g, device=rows.device).unsqueeze(0)
    return rows[:, h // g, i * g + h % g]
