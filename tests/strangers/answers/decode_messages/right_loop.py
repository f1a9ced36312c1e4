# counts by loops
def decode_messages(way, size, n, heads, kv_heads, d, width):
    if way == "ring":
        sent = 0
        for _ in range(size - 1):
            sent += 2 * kv_heads * d * width * n // size
        return size - 1, sent
    p, rounds = 1, 0
    while p * 2 <= size:
        p, rounds = p * 2, rounds + 1
    message, sends = 4 * heads * (d + 1), rounds
    if p < size:
        rounds, sends = rounds + 2, sends + 1
    return rounds, sends * message
