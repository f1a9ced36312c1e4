# by way of the layout (B, N, H, d) of a linear layer, in which the heads of a group are neighbours already
def pack_heads(q: Tensor, kv_heads: int) -> Tensor:
    """The queries of all heads that share a KV head, as rows of one matrix.

    q: (B, H, N_q, d) of any float dtype and strides; kv_heads: the number H_kv of KV heads,
    which divides H; g = H / H_kv.
    Returns rows (B, H_kv, N_q g, d), same dtype: row r of KV head kv is position r // g of
    query head kv g + r % g. So the g heads of one position lie side by side. May be a view.
    Arguments stay as they are.
    """
    batch, heads, n_q, d = q.shape
    by_token = q.permute(0, 2, 1, 3).reshape(batch, n_q, kv_heads, (heads // kv_heads) * d)
    return by_token.permute(0, 2, 1, 3).reshape(batch, kv_heads, n_q * (heads // kv_heads), d)
