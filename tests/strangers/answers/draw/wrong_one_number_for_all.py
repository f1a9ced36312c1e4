# all rows use the first random number
def draw(p: np.ndarray, index: np.ndarray, u: np.ndarray) -> np.ndarray:
    slot = (np.cumsum(p, 1) <= u[:1, None]).sum(1)
    last = p.shape[1] - 1 - np.argmax((p > 0)[:, ::-1], 1)
    return np.where((p > 0).any(1), index[np.arange(len(p)), np.minimum(slot, last)], -1)
