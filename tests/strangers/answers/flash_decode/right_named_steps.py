# small nested functions for the limit and the second launch, keyword arguments, the results allocated up front by new_empty
def flash_decode(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    lengths: Tensor,
    scale: float | None = None,
    slots: int = 264,
    tile_n: int = 64,
) -> tuple[Tensor, Tensor]:
    """Attention of one new query per sequence with its cache, by two kernels.

    q, k, v, lengths, scale, tile_n: as for `split_decode`; q may have any strides.
    slots: programs that the GPU runs at once; two on each of an H200's 132 multiprocessors.
    Returns o (B, H, d), in the dtype of q, and L (B, H) float32, natural logarithm; a sequence
    without keys gives 0 and -inf.
    There are as many splits as `number_of_splits` says for B * H_kv programs, but at most 128,
    and at most one for every whole 256 keys that the cache has room for (one, if it has less).
    Memory: the splits' o and L in float32, beside the outputs. A program of the first kernel
    has one split of a KV head, one of the second merges one query head.
    Beside launching its kernels this function may only allocate and take views, clone. It
    calls number_of_splits and split_decode. Arguments stay as they are, and results are new
    memory.
    """
    batch, heads, d = q.shape
    kv_heads, n = k.shape[1], k.shape[2]
    def limit():
        room = n >> 8
        if room < 1:
            return 1
        return room if room < 128 else 128

    o = q.new_empty((batch, heads, d))
    L = q.new_empty((batch, heads), dtype=torch.float32)
    splits = number_of_splits(programs=batch * kv_heads, slots=slots, most=limit())
    parts = split_decode(q, k, v, lengths, splits=splits, scale=scale, tile_n=tile_n)
    padded = triton.next_power_of_2(splits)
    merge = combine_splits_kernel[(o.shape[0] * o.shape[1],)]
    merge(*parts, o, L, splits, SPLITS=padded, D=d)
    return o, L
