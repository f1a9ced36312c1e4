# follows rank 0 through the tree, message by message
def decode_messages(way, size, n, heads, kv_heads, d, width):
    def ring():
        block = (n // size) * kv_heads * (d + d) * width
        return size - 1, block * (size - 1)

    def tree():
        message, rounds, sent, reach = 4 * heads * (d + 1), 0, 0, 1
        while reach <= size // 2:  # an exchange doubles what rank 0 has
            rounds, sent, reach = rounds + 1, sent + message, reach + reach
        if reach != size:  # one comes in before, and the result goes out behind
            rounds, sent = rounds + 2, sent + message
        return rounds, sent

    return {"ring": ring, "tree": tree}[way]()
