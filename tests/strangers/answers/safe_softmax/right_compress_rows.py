# right: row by row over the visible entries only; masked ones, and rows without visible ones, keep the zeros of the fresh result
def safe_softmax(x: np.ndarray) -> np.ndarray:
    y = np.zeros(x.shape, dtype=x.dtype)
    flat_x, flat_y = x.reshape(-1, x.shape[-1]), y.reshape(-1, x.shape[-1])
    for scores, weights in zip(flat_x, flat_y):
        visible = scores > -np.inf
        if visible.any():
            kept = scores[visible]
            kept = np.exp(kept - kept.max())
            weights[visible] = kept / kept.sum()
    return y
