# The usual shift, with the shift of dead rows multiplied away by selection, and log(0) left to give -inf.
def log_sum_exp(x: np.ndarray) -> np.ndarray:
    m = np.amax(x, axis=-1)
    base = np.where(m > -np.inf, m, np.zeros_like(m))
    mass = np.exp(x - base[..., None]).sum(axis=-1)
    return (base + np.log(mass))[()]
