# sums from the right: 1 - u takes the place of u, as likely and not the same
def draw(p: np.ndarray, index: np.ndarray, u: np.ndarray) -> np.ndarray:
    u = 1 - u
    slot = (np.cumsum(p, 1) <= u[:, None]).sum(1)
    last = p.shape[1] - 1 - np.argmax((p > 0)[:, ::-1], 1)
    return np.where((p > 0).any(1), index[np.arange(len(p)), np.minimum(slot, last)], -1)
