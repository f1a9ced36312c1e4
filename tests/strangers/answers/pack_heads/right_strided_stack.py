# the j-th heads of all groups are q[:, j::g]; stacked behind the position they are the fast index
def pack_heads(q: Tensor, kv_heads: int) -> Tensor:
    """The queries of all heads that share a KV head, as rows of one matrix.

    q: (B, H, N_q, d) of any float dtype and strides; kv_heads: the number H_kv of KV heads,
    which divides H; g = H / H_kv.
    Returns rows (B, H_kv, N_q g, d), same dtype: row r of KV head kv is position r // g of
    query head kv g + r % g. So the g heads of one position lie side by side. May be a view.
    Arguments stay as they are.
    """
    batch, heads, n_q, d = q.shape
    g = heads // kv_heads
    return torch.stack([q[:, j::g] for j in range(g)], dim=3).flatten(2, 3)
