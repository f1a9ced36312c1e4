# style: P by doubling, a table of both ways
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
    power, rounds = 1, 0
    while 2 * power <= size:
        power, rounds = 2 * power, rounds + 1
    messages = rounds
    if power < size:
        rounds, messages = rounds + 2, messages + 1
    shard, pair = 2 * kv_heads * (n // size) * d, heads * d + heads
    ways = {"ring": (size - 1, (size - 1) * shard * width), "tree": (rounds, messages * pair * 4)}
    return ways[way]
