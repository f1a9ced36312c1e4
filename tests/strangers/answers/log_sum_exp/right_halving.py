# style: right; merges neighbours in pairs until one is left, in float64
def log_sum_exp(x: np.ndarray) -> np.ndarray:
    wide = x.astype(np.float64)
    while wide.shape[-1] > 1:
        if wide.shape[-1] % 2:
            nothing = np.full(wide.shape[:-1] + (1,), -np.inf)
            wide = np.concatenate([wide, nothing], axis=-1)
        a, b = wide[..., 0::2], wide[..., 1::2]
        top = np.maximum(a, b)
        base = np.where(np.isneginf(top), 0.0, top)
        wide = base + np.log(np.exp(a - base) + np.exp(b - base))
    return wide[..., 0].astype(x.dtype)[()]
