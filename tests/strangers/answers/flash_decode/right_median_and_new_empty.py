# The limit as the middle of three numbers, outputs by new_empty, everything by name.
def flash_decode(q, k, v, lengths, scale=None, slots=264, tile_n=64):
    batch, heads, d = q.shape
    _, kv_heads, room, _ = k.shape
    _, most, _ = sorted((1, room // 256, 128))
    splits = number_of_splits(programs=batch * kv_heads, slots=slots, most=most)
    parts = split_decode(q, k, v, lengths, splits=splits, scale=scale, tile_n=tile_n)
    o = q.new_empty(batch, heads, d)
    L = q.new_empty(batch, heads, dtype=torch.float32)
    combine_splits_kernel[(heads * batch,)](
        *parts, o, L, splits, SPLITS=1 << (splits - 1).bit_length(), D=d
    )
    return o, L
