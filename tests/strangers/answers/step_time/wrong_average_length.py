# Wrong: takes the mean length for all new tokens, and forgets the mask inside a chunk; shows in every chunk.
def step_time(new, length, weights, per_token, per_pair, itemsize, peak, bandwidth):
    matrices = max(2 * weights * new.sum() / peak, weights * itemsize / bandwidth)
    pairs = new.sum() * length.mean()
    return np.float64(matrices + max(pairs * per_pair / peak, length.sum() * per_token * itemsize / bandwidth))
