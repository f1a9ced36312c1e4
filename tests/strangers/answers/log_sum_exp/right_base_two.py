# Powers and logarithms of two inside, converted back at the end; the shift of an empty row is 0, and log2(0) = -inf does the rest.
def log_sum_exp(x: np.ndarray) -> np.ndarray:
    log2_e, ln_2 = 1.4426950408889634, 0.6931471805599453
    top = x.max(axis=-1, keepdims=True)
    shift = np.where(np.isneginf(top), np.zeros_like(top), top)
    total = np.exp2((x - shift) * log2_e).sum(axis=-1)
    return (shift[..., 0] + np.log2(total) * ln_2).astype(x.dtype)
