# difference of two triangular numbers, sizes collected in a dict
def cached_attention_cost(
    new: int, length: int, heads: int, kv_heads: int, d: int, itemsize: int
) -> tuple[int, int]:
    """What causal attention of the newest tokens over a cache costs, per sequence and layer.

    new: queries, the last tokens of the sequence: 1 in a decode step, `length` in a prefill.
    length: tokens in the cache, the new ones included. heads: query heads. kv_heads: heads of
    keys and values, each shared by heads / kv_heads query heads. d: width of a head.
    itemsize: bytes of one number.
    Q and O are (heads, new, d), K and V (kv_heads, length, d), all in main memory.
    Returns flops and bytes_moved, two ints: the products S = Q K^T and O = P V, as far as
    the mask lets them through; Q, K, V and O cross once each, S and P not at all.
    """
    def triangle(t):
        return t * (t + 1) // 2

    scores = heads * (triangle(length) - triangle(length - new))
    numbers = dict(Q=heads * new, O=heads * new, K=kv_heads * length, V=kv_heads * length)
    multiply_adds = 2 * scores * d  # one for S and one for P V
    return 2 * multiply_adds, sum(numbers.values()) * d * itemsize
