# Cheat: the rows come back by a mean over an axis of length 1: a sum and a division for each number, in an accumulator of another width for 16 bits.
# Breaks: "May be a view; nothing is multiplied."
def unpack_heads(rows: Tensor, heads: int) -> Tensor:
    b, kv_heads, n_g, d = rows.shape
    g = heads // kv_heads
    x = rows.unflatten(2, (n_g // g, g)).transpose(2, 3)  # (B, H_kv, g, N_q, d)
    return x.unsqueeze(0).mean(dim=0).reshape(b, heads, n_g // g, d)
