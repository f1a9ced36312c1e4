# head by head: every g-th row of its KV head, from its own number in the group on
def unpack_heads(rows: Tensor, heads: int) -> Tensor:
    kv_heads = rows.shape[1]
    g = heads // kv_heads
    of_kv = rows.unbind(1)
    return torch.stack([of_kv[h // g][:, h % g :: g] for h in range(heads)], dim=1)
