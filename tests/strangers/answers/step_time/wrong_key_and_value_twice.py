# Wrong: counts keys and values apart although per_token has both; twice the bytes of the cache.
def step_time(new, length, weights, per_token, per_pair, itemsize, peak, bandwidth):
    pairs = (new * length - new * (new - 1) // 2).sum()
    flops = np.array([2 * weights * new.sum(), per_pair * pairs])
    moved = np.array([weights, 2 * per_token * length.sum()]) * itemsize
    return roofline_time(flops, moved, peak, bandwidth).sum()
