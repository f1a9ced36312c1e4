# the tree by recursion: half of the ranks, one round and one message more
def decode_messages(
    way: str, size: int, n: int, heads: int, kv_heads: int, d: int, width: int
) -> tuple[int, int]:
    """Rounds of messages that decode one token, and all bytes of the rank that sends most.

    way "ring": keys and values go round, as in ring attention, and every rank meets them all.
    way "tree": `merge_by_tree`.
    size: ranks, W. n: cached tokens of one sequence, N, a multiple of W; N / W on each rank.
    heads, kv_heads: H and H_kv, each of d numbers. width: bytes of a number in the cache; those
    of o and L, which the tree sends, have 4. All are whole numbers from 1 on.
    Returns rounds and sent, whole numbers (int); (0, 0) on one rank.
    Arguments stay as they are, and results are new memory.
    """
    def tree(ranks):
        """Rounds and messages of the busiest rank, for a power of two."""
        if ranks == 1:
            return 0, 0
        rounds, sent = tree(ranks // 2)
        return rounds + 1, sent + 1

    hops = size - 1
    if way == "ring":
        bytes_of_a_rank = n * kv_heads * 2 * d * width // size
        return hops, hops * bytes_of_a_rank
    power = 1
    while power * 2 <= size:
        power *= 2
    rounds, sent = tree(power)
    if power < size:
        rounds, sent = rounds + 2, sent + 1
    return rounds, sent * heads * (d + 1) * 4
