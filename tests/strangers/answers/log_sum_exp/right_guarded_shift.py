# finite stand-in for the maximum, log of the sum gives -inf by itself
def log_sum_exp(x: np.ndarray) -> np.ndarray:
    m = x.max(axis=-1)
    shift = np.where(np.isneginf(m), np.zeros_like(m), m)
    with np.errstate(divide="ignore"):
        return shift + np.log(np.exp(x - shift[..., None]).sum(axis=-1))
