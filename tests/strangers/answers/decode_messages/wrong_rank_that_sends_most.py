# Wrong: forgets that a rank below W - P sends the result up at the end, one message more than the others.
# Breaks: "all bytes of the rank that sends most."
def decode_messages(way, size, n, heads, kv_heads, d, width):
    if size == 1:
        return 0, 0
    if way == "ring":
        return size - 1, (size - 1) * (n // size) * 2 * kv_heads * d * width
    P = 1 << (size.bit_length() - 1)
    rounds = P.bit_length() - 1
    sent = rounds * heads * (d + 1) * 4
    return rounds + (2 if P != size else 0), sent
