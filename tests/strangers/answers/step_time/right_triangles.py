# Pairs as a difference of two triangles, one call of roofline_time for each piece.
def step_time(new, length, weights, per_token, per_pair, itemsize, peak, bandwidth):
    def triangle(n):
        return n * (n + 1) // 2

    seen = np.sum(triangle(length) - triangle(length - new))
    dense = roofline_time(2 * weights * np.sum(new), itemsize * weights, peak, bandwidth)
    attention = roofline_time(seen * per_pair, np.sum(length) * per_token * itemsize, peak, bandwidth)
    return dense + attention
