# Wrong: adds up the operations and the bytes of both pieces first, so that attention hides behind the matrices.
def step_time(new, length, weights, per_token, per_pair, itemsize, peak, bandwidth):
    pairs = (new * length - new * (new - 1) // 2).sum()
    flops = 2 * weights * new.sum() + pairs * per_pair
    moved = (weights + per_token * length.sum()) * itemsize
    return np.maximum(flops / peak, moved / bandwidth)
