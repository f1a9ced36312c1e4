# share of the cache in floats, then int(): exact, since what is sent is below 2^53 bytes
def decode_messages(
    way: str, size: int, n: int, heads: int, kv_heads: int, d: int, width: int
) -> tuple[int, int]:
    """Rounds of messages that decode one token, and all bytes of the rank that sends most.

    way "ring": keys and values go round, as in ring attention, and every rank meets them all.
    way "tree": `merge_by_tree`.
    size: ranks, W, at most 2^30. n: cached tokens of one sequence, N, a multiple of W.
    heads, kv_heads: H and H_kv, each of d numbers. width: bytes of a number in the cache; those
    of o and L, which the tree sends, have 4. All are whole numbers from 1 on.
    Returns rounds and sent, whole numbers (int); (0, 0) on one rank.
    Arguments stay as they are, and results are new memory.
    """
    if size == 1:
        return 0, 0
    if way == "ring":
        rounds = size - 1
        return rounds, int((size - 1) / size * n * kv_heads * 2 * d * width)
    levels = size.bit_length() - 1
    left_over = size != 1 << levels
    return levels + 2 * left_over, (levels + left_over) * 4 * heads * (d + 1)
