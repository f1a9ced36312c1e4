# Unflattens the rows as (g, N_q) and swaps nothing afterwards but merges with the heads: a mix that is only right when N_q = 1 or g = 1, and swaps axes when it "fixes" g == N_q.
def unpack_heads(rows: Tensor, heads: int) -> Tensor:
    b, kv, r, d = rows.shape
    g = heads // kv
    x = rows.unflatten(2, (g, r // g))
    if g == r // g:
        x = x.transpose(2, 3)
    return x.reshape(b, heads, r // g, d)
