# plays the rounds through and counts what rank 0 and the ring's ranks send
def decode_messages(
    way: str, size: int, n: int, heads: int, kv_heads: int, d: int, width: int
) -> tuple[int, int]:
    rounds = messages = 0
    if way == "ring":
        per_message = width * sum(n // size * kv_heads * d for _ in ("keys", "values"))
        rounds = messages = size - 1
    else:
        per_message = heads * sum((d, 1)) * 4
        reached = 1  # ranks that rank 0 has the result of, without those left over
        while 2 * reached <= size:
            reached, rounds, messages = 2 * reached, rounds + 1, messages + 1
        if reached < size:  # in first, out last: rank 0 is sent one and sends one
            rounds, messages = rounds + 2, messages + 1
    return rounds, messages * per_message
