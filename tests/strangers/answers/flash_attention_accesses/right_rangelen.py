# Right: the length of a range as a rounded-up quotient, a conditional-free tuple.
def flash_attention_accesses(n, d, on_chip):
    walks = len(range(0, n, largest_tile(d, on_chip)))
    q = o = k = v = n * d
    lse = n
    return (q + walks * (k + v), o + lse)
