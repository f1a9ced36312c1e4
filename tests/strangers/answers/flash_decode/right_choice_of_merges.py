# right: combine_splits itself where its float32 is q's dtype, else its kernel with an output in 16 bits; limits by a sorted triple
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
    whole = n // 256
    most = sorted((1, whole, 128))[1]
    parts = split_decode(
        q=q,
        k=k,
        v=v,
        lengths=lengths,
        splits=number_of_splits(programs=kv_heads * batch, slots=slots, most=most),
        scale=scale,
        tile_n=tile_n,
    )
    if q.dtype == torch.float32:
        return combine_splits(*parts)
    pieces = parts[1].shape[-1]
    o = q.new_empty((batch, heads, d))
    L = q.new_empty((batch, heads), dtype=torch.float32)
    launch = combine_splits_kernel[(heads * batch, 1, 1)]
    launch(*parts, o, L, pieces, SPLITS=triton.next_power_of_2(pieces), D=d)
    return o, L
