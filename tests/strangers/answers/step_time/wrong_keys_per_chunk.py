# Wrong: only tokens before the chunk move, as if the new keys never left the chip; shows wherever attention waits for bytes.
def step_time(new, length, weights, per_token, per_pair, itemsize, peak, bandwidth):
    pairs = (new * length - new * (new - 1) // 2).sum()
    matrices = roofline_time(2 * weights * new.sum(), weights * itemsize, peak, bandwidth)
    return matrices + roofline_time(pairs * per_pair, (length - new).sum() * per_token * itemsize, peak, bandwidth)
