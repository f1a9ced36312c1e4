# a row of zeros gives the token in its first slot
def draw(p: np.ndarray, index: np.ndarray, u: np.ndarray) -> np.ndarray:
    slot = (np.cumsum(p, 1) <= u[:, None]).sum(1)
    last = p.shape[1] - 1 - np.argmax((p > 0)[:, ::-1], 1)
    last = np.where((p > 0).any(1), last, 0)
    return index[np.arange(len(p)), np.minimum(slot, last)]
