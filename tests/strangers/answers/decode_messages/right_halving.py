# right: a recursion over the tree; a rank that is left over adds two rounds and, to its partner, one message sent
def _tree(size: int) -> tuple[int, int]:
    """Rounds, and messages that the busiest rank sends."""
    if size == 1:
        return 0, 0
    power = 1
    while 2 * power <= size:
        power *= 2
    if power < size:
        rounds, messages = _tree(power)
        return rounds + 2, messages + 1
    rounds, messages = _tree(size // 2)
    return rounds + 1, messages + 1


def decode_messages(
    way: str, size: int, n: int, heads: int, kv_heads: int, d: int, width: int
) -> tuple[int, int]:
    """Rounds and bytes of one decoded token."""
    if way == "tree":
        rounds, messages = _tree(size)
        return rounds, messages * heads * (d + 1) * 4
    shard = n // size * kv_heads * (d + d) * width
    return size - 1, shard * (size - 1)
