# Wrong: builds the rows with as_strided from the strides that a contiguous q would have; silently wrong for a q that is transposed or sliced.
def pack_heads(q: Tensor, kv_heads: int) -> Tensor:
    batch, heads, n_q, d = q.shape
    g = heads // kv_heads
    view = q.as_strided(
        (batch, kv_heads, n_q, g, d), (heads * n_q * d, g * n_q * d, d, n_q * d, 1)
    )
    return view.reshape(batch, kv_heads, n_q * g, d)
