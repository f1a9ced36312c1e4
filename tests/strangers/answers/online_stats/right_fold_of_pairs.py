# A fold with the operation on pairs, in Python floats; the identity is tested by l == 0.
def online_stats(stream):
    from functools import reduce

    def plus(a, b):
        if b[1] == 0:
            return a
        if a[1] == 0:
            return b
        big, small = (a, b) if a[0] >= b[0] else (b, a)
        return big[0], big[1] + small[1] * float(np.exp(small[0] - big[0]))

    leaves = ((float(x), 0.0 if x == -np.inf else 1.0) for x in stream)
    m, l = reduce(plus, leaves, (float("-inf"), 0.0))
    return np.float32(m), np.float32(l)
