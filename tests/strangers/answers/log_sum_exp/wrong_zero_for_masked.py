# cleans up with nan_to_num, so a fully masked row gives 0 rather than -inf
def log_sum_exp(x: np.ndarray) -> np.ndarray:
    m = x.max(axis=-1)
    L = m + np.log(np.exp(x - m[..., None]).sum(axis=-1))
    return np.nan_to_num(L)
