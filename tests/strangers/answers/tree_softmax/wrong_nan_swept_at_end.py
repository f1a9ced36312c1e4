# Leaves the sum of a fully masked tile NaN and sweeps NaN to 0 in the result only: a row with one masked tile among visible ones comes out as all zeros.
def tree_softmax(x: np.ndarray, tile: int) -> np.ndarray:
    R, N = x.shape
    short = -N % tile
    t = np.pad(x, [(0, 0), (0, short)], constant_values=-np.inf).reshape(R, -1, tile)
    m = t.max(-1)
    l = np.exp(t - m[:, :, None]).sum(-1)
    while m.shape[1] > 1:
        if m.shape[1] & 1:
            m = np.pad(m, [(0, 0), (0, 1)], constant_values=-np.inf)
            l = np.pad(l, [(0, 0), (0, 1)])
        m, l = merge_stats(m[:, ::2], l[:, ::2], m[:, 1::2], l[:, 1::2])
    return np.nan_to_num(np.exp(x - m) / l)
